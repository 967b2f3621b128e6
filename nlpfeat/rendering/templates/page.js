const scheme = window.matchMedia("(prefers-color-scheme: dark)");

async function drawCharts() {
  const holders = document.querySelectorAll("[data-chart]");
  if (!holders.length) return;
  const themes = JSON.parse(document.getElementById("themes").textContent);
  const config = themes[scheme.matches ? "dark" : "light"];
  for (const holder of holders) {
    const spec = JSON.parse(document.getElementById("spec-" + holder.dataset.chart).textContent);
    holder.style.minWidth = holder.dataset.minWidth + "px";
    if (holder.chart) holder.chart.finalize();
    holder.chart = await window.vegaEmbed(holder, spec, {
      ast: true, // no eval: the policy of this page forbids it
      actions: false,
      config,
      defaultStyle: false,
      renderer: "svg",
      tooltip: { disableDefaultStyle: true },
    });
  }
  document.documentElement.dataset.charts = scheme.matches ? "dark" : "light";
}

function sortValue(row, column) {
  const cell = row.cells[column];
  return cell.dataset.order === undefined ? cell.textContent : Number(cell.dataset.order);
}

function compare(a, b) {
  const numbers = [a, b].filter((value) => typeof value === "number").length;
  if (numbers === 1) return typeof a === "number" ? -1 : 1;
  return numbers ? a - b : a < b ? -1 : a > b ? 1 : 0;
}

function sortBy(heading, column) {
  const body = heading.closest("table").tBodies[0];
  const isUp = heading.getAttribute("aria-sort") === "descending";
  for (const other of heading.parentElement.cells) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", isUp ? "ascending" : "descending");
  const rows = [...body.rows].map((row) => [sortValue(row, column), row]);
  // Cells without a number stay below, whichever way the numbers run.
  const isNumber = rows.some(([value]) => typeof value === "number");
  rows.sort(([a], [b]) =>
    isUp || (isNumber && typeof a !== typeof b) ? compare(a, b) : compare(b, a));
  body.append(...rows.map(([, row]) => row));
}

function addSortButtons() {
  for (const head of document.querySelectorAll("thead tr")) {
    if (head.closest("table").tBodies[0].rows.length < 2) continue;
    [...head.cells].forEach((heading, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...heading.childNodes);
      button.addEventListener("click", () => sortBy(heading, column));
      heading.append(button);
    });
  }
}

addSortButtons();
await drawCharts();
scheme.addEventListener("change", drawCharts);
