// Draws one texture on a 2-d canvas, a texel a pixel, with tiles, marks and the pick over it; a click picks a texel.

const MOST_HEIGHT = 380, MOST_SCALE = 40, SCROLLBAR = 18, NAN = [255, 0, 0], INFINITY = [0, 255, 0];

class Picture {
  // `pick(tx, ty)` is called for a click and for arrow keys, and may be null.
  constructor(title, texture, pick) {
    this.texture = texture;
    this.pick = pick;
    this.zoom = 1;
    this.canvas = make("canvas", {width: texture.width, height: texture.height});
    this.over = makeSvg("svg", {
      viewBox: `0 0 ${texture.width} ${texture.height}`, preserveAspectRatio: "none", "aria-hidden": "true",
    });
    this.inner = make("div", {class: "texels"}, this.canvas, this.over);
    const label = `${title}, ${texture.width} by ${texture.height} texels`;
    this.holder = make("div", {class: "texture", tabindex: "0", role: "group", "aria-label": label}, this.inner);
    this.legend = make("span", {class: "soft number"});
    this.caption = make("figcaption", {}, make("span", {}, title), this.legend);
    this.figure = make("figure", {}, this.caption, this.holder);
    this.marks = makeSvg("g");
    this.cross = makeSvg("g");
    this.over.append(this.tiles(), this.marks, this.cross);
    this.inner.addEventListener("click", (event) => this.clicked(event));
    this.holder.addEventListener("keydown", (event) => this.pressed(event));
  }

  // `values` of all lanes; of several lanes the first three are red, green and blue.
  draw(values, lanes, [low, high], colours) {
    const {width, height} = this.texture, image = new ImageData(width, height), size = high > low ? high - low : 1;
    for (let i = 0; i < width * height; i++) {
      image.data.set(colourOf(values, i * lanes, lanes, low, size, colours), 4 * i);
      image.data[4 * i + 3] = 255;
    }
    this.canvas.getContext("2d").putImageData(image, 0, 0);
    const bar = make("span", {class: "bar"});
    bar.style.background = gradient(colours);
    this.legend.replaceChildren(brief(low, 4), " ", lanes > 1 ? "in r, g, b" : bar, " ", brief(high, 4));
  }

  // The largest size of a texel, in points, at which all of the texture fits.
  get fitting() {
    const {width, height} = this.texture, room = (this.figure.clientWidth || 380) - 2;
    const fit = Math.min(room / width, MOST_HEIGHT / height, MOST_SCALE);
    return Math.max(fit, Math.min(4, 12 / height), Math.min(4, 12 / width));
  }

  resize(scale = this.fitting * this.zoom) {
    this.scale = Math.min(scale, MOST_SCALE * 2);
    this.inner.style.width = `${this.texture.width * this.scale}px`;
    this.inner.style.height = `${this.texture.height * this.scale}px`;
  }

  // Shows a rectangle of texels as large as it fits, with its middle in the middle.
  focus(left, top, right, bottom) {
    const room = this.figure.clientWidth - SCROLLBAR, high = MOST_HEIGHT - SCROLLBAR;
    const most = Math.min(room / (right - left), high / (bottom - top), 24);
    this.resize(Math.max(this.fitting, most));
    this.centre((left + right) / 2, (top + bottom) / 2);
  }

  centre(tx, ty) {
    this.holder.scrollLeft = tx * this.scale - this.holder.clientWidth / 2;
    this.holder.scrollTop = ty * this.scale - this.holder.clientHeight / 2;
  }

  showPick(tx, ty) {
    const side = {x: tx, y: ty, width: 1, height: 1};
    const reach = Math.max(this.texture.width, this.texture.height) / 40 + 1;
    const around = {cx: tx + 0.5, cy: ty + 0.5, r: reach.toFixed(2)};
    this.cross.replaceChildren(
      makeSvg("circle", {class: "pick under", ...around}), makeSvg("circle", {class: "pick", ...around}),
      makeSvg("rect", {class: "pick under", ...side}), makeSvg("rect", {class: "pick", ...side}),
    );
  }

  // `groups` are pairs of a class and texels; a later one lies over an earlier one.
  showMarks(groups) {
    const paths = groups.filter(([, texels]) => texels.length).map(([kind, texels]) =>
      makeSvg("path", {class: `mark ${kind}`, d: texels.map(([tx, ty]) => `M${tx} ${ty}h1v1h-1z`).join("")}));
    this.marks.replaceChildren(...paths);
  }

  tiles() {
    const group = makeSvg("g", {class: "grid"}), points = MOST_HEIGHT / this.texture.width;
    for (const [x, y, width, height, label] of this.texture.data.tiles) {
      group.append(makeSvg("rect", {class: "tile", x, y, width, height}));
      if (!label || width * points < 22) continue;
      const size = 11 / points;
      const text = makeSvg("text", {class: "label", x: x + 0.3 * size, y: y + size, "font-size": size});
      text.textContent = label;
      group.append(text);
    }
    return group;
  }

  clicked(event) {
    if (!this.pick) return;
    const box = this.canvas.getBoundingClientRect(), {width, height} = this.texture;
    const at = (place, side, count) => Math.min(Math.max(Math.floor(place / side * count), 0), count - 1);
    this.pick(at(event.clientX - box.left, box.width, width), at(event.clientY - box.top, box.height, height));
    this.holder.focus({preventScroll: true});
  }

  pressed(event) {
    const by = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key];
    if (!by || !this.pick || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    this.pick(null, null, by);
  }
}

function colourOf(values, start, lanes, low, size, colours) {
  let infinite = false;
  for (let lane = 0; lane < lanes; lane++) {
    if (Number.isNaN(values[start + lane])) return NAN;
    infinite ||= !Number.isFinite(values[start + lane]);
  }
  if (infinite) return INFINITY;
  const share = (value) => Math.min(Math.max((value - low) / size, 0), 1);
  if (lanes === 1) {
    const step = 3 * Math.round(share(values[start]) * 255);
    return [colours[step], colours[step + 1], colours[step + 2]];
  }
  return [0, 1, 2].map((lane) => (lane < lanes ? Math.round(255 * share(values[start + lane])) : 0));
}

function gradient(colours) {
  const stops = Array.from({length: 9}, (_, i) => 3 * Math.min(32 * i, 255));
  return `linear-gradient(to right,${stops.map((i) => `rgb(${colours[i]},${colours[i + 1]},${colours[i + 2]})`)})`;
}
