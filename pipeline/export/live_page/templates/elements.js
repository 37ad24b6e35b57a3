// Makes elements of the page. Text from outside is only ever text: nothing here parses HTML.

function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "class") made.className = value;
    else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

function makeSvg(tag, attributes = {}) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

function button(label, title, action, attributes = {}) {
  return make("button", {type: "button", title, onclick: action, ...attributes}, label);
}

function tableRow(cells, attributes = {}, tag = "td") {
  const made = cells.map(([text, kind]) => make(tag, kind ? {class: kind} : {}, text));
  return make("tr", attributes, ...made);
}
