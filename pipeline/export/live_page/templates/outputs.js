// The pictures of what a pass made: actual, oracle, difference, and what a recorded page had; they move together.

const MOST_ZOOM = 64;

class Outputs {
  // `pick(tx, ty, by)` gets a texel, or the steps from the one that is picked.
  constructor(texture, colours, pick) {
    const {actual, oracle, recorded, error, range} = texture;
    const map = range[0] < 0 ? colours.signed : colours.unsigned;
    this.texture = texture;
    this.pictures = [];
    for (const [title, values] of [["Actual", actual], ["Oracle", oracle], ["Page", recorded]]) {
      if (values) this.add(title, pick, values, (shown, lanes) => [shown, lanes, range, map]);
    }
    if (error) {
      const farthest = farthestFromZero(error, texture.lanes), [low, high] = rangeOf(farthest);
      const reach = Math.max(-low, high) || 1;
      this.add("Difference", pick, error, (shown, lanes) =>
        [lanes > 1 ? farthest : shown, 1, [-reach, reach], colours.signed]);
    }
    this.element = make("div", {class: "pictures"}, ...this.pictures.map((each) => each.figure));
    this.linkScrolling();
    this.show(-1);
  }

  add(title, pick, values, drawn) {
    const picture = new Picture(title, this.texture, pick), {lanes} = this.texture;
    picture.show = (lane) => {
      picture.draw(...(lane < 0 ? drawn(values, lanes) : drawn(laneOf(values, lanes, lane), 1)));
    };
    this.pictures.push(picture);
  }

  // Shows one lane alone, or with -1 all of them.
  show(lane) {
    for (const each of this.pictures) each.show(lane);
  }

  showPick(tx, ty) {
    for (const each of this.pictures) each.showPick(tx, ty);
  }

  showMarks(groups) {
    for (const each of this.pictures) each.showMarks(groups);
  }

  resize() {
    for (const each of this.pictures) each.resize();
  }

  // Zooms by a factor around a texel; 0 shows all.
  zoom(factor, [tx, ty]) {
    for (const each of this.pictures) {
      each.zoom = factor ? Math.min(Math.max(each.zoom * factor, 1), MOST_ZOOM) : 1;
      each.resize();
      each.centre(tx + 0.5, ty + 0.5);
    }
  }

  linkScrolling() {
    for (const {holder} of this.pictures) {
      holder.addEventListener("scroll", () => {
        for (const {holder: other} of this.pictures) {
          if (other.scrollLeft !== holder.scrollLeft) other.scrollLeft = holder.scrollLeft;
          if (other.scrollTop !== holder.scrollTop) other.scrollTop = holder.scrollTop;
        }
      });
    }
  }

  // Buttons for all lanes as colours and for each lane alone; none for a texture of one lane.
  laneButtons() {
    if (this.texture.lanes === 1) return [];
    const names = ["RGB", ...LANES.slice(0, this.texture.lanes).toUpperCase()];
    const made = names.map((name, i) => {
      const title = i ? `Lane ${name} alone` : "All lanes, as colours";
      return button(name, title, () => choose(i), {"aria-pressed": String(!i), class: "lane"});
    });
    const choose = (chosen) => {
      this.show(chosen - 1);
      made.forEach((each, i) => each.setAttribute("aria-pressed", String(i === chosen)));
    };
    return made;
  }
}

function laneOf(values, lanes, lane) {
  return Float32Array.from({length: values.length / lanes}, (_, i) => values[i * lanes + lane]);
}

// The number farthest from zero in the lanes of each texel; NaN first.
function farthestFromZero(values, lanes) {
  if (lanes === 1) return values;
  const found = new Float32Array(values.length / lanes);
  const size = (value) => (Number.isNaN(value) ? Infinity : Math.abs(value));
  for (let i = 0; i < found.length; i++) {
    found[i] = values[i * lanes];
    for (let lane = 1; lane < lanes; lane++) {
      if (size(values[i * lanes + lane]) > size(found[i])) found[i] = values[i * lanes + lane];
    }
  }
  return found;
}
