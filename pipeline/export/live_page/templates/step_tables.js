// Tables beside the source: what a step does, what the variables hold before it, the sum so far and the oracle's.

// Terms of a sum that are shown before the present step, and from it on.
const TERMS_AROUND = 4;

function stepTable(step) {
  const rows = step.assigned.map((made) => tableRow([[`${made.name} =`], [lanesText(made.values), "number"]]));
  for (const {uniform, tx, ty, outside, values} of step.reads) {
    const place = `${uniform} (${tx}, ${ty})${outside ? " outside" : ""}`;
    rows.push(tableRow([[place], [lanesText(values), "number"]]));
  }
  if (typeof step.branch === "boolean") rows.push(tableRow([["condition"], [String(step.branch), "number"]]));
  if (step.returned.length) rows.push(tableRow([["returns"], [lanesText(step.returned), "number"]]));
  return rows.length ? [make("h4", {}, "This step"), make("table", {class: "does"}, ...rows)] : [];
}

function variableTables(trace, at) {
  const rows = trace.before(at).map(({name, type, values, step}) => tableRow(
    [[name], [type, "soft"], [lanesText(values), "number"]], step === at - 1 ? {class: "changed"} : {}));
  const given = trace.given.map(([name, values]) => tableRow([[name], [lanesText(values), "number"]]));
  return [
    make("h4", {}, "Variables before it"), make("table", {class: "variables"}, ...rows),
    make("details", {}, make("summary", {}, "Uniforms and coordinates"), make("table", {}, ...given)),
  ];
}

function sumTables(sum, at) {
  if (!sum) return [];
  const heading = make("h4", {}, "The sum, and the oracle's");
  if (!sum.terms.length) return [heading, make("p", {class: "soft"}, sum.reason)];
  const next = sum.terms.findIndex((term) => term.step >= at), here = next < 0 ? sum.terms.length : next;
  const shown = sum.terms.slice(Math.max(here - TERMS_AROUND, 0), here + TERMS_AROUND);
  const names = ["step", "value × weight", "adds", "oracle adds", "sum", "oracle's sum"];
  const said = make("p", {class: "soft"}, `Added up in ${sum.accumulator}: ${grouped(sum.terms.length)} terms. `,
    sum.firstWrong === null ? "" : "The first that the oracle lacks: ", sum.reason);
  const head = tableRow(names.map((name) => [name]), {}, "th");
  return [heading, said, make("table", {class: "sum"}, head, ...shown.flatMap((term) => termRows(term, at)))];
}

function termRows(term, at) {
  const when = term.step < at ? "" : term.step === at ? "now" : "later";
  const factors = term.value === null ? "" : `${brief(term.value, 5)} × ${brief(term.weight, 5)}`;
  const numbers = [term.product, term.expected, term.running, term.expectedRunning].map((value) => brief(value, 6));
  const cells = [grouped(term.step + 1), factors, ...numbers].map((text) => [text, "number"]);
  const row = tableRow(cells, {class: `${when} ${term.fault ? "faulty" : ""}`.trim()});
  if (!term.text) return [row];
  return [row, make("tr", {class: "faulty"}, make("td", {colspan: String(cells.length)}, term.text))];
}
