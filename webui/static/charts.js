// Charts by uPlot, in the colours of the page. Each has a table beside it, so the drawing itself is hidden from
// screen readers.

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const FONT = "14px Source Sans, system-ui, sans-serif";

/** Draw again when the colours or the width change. */
export function kept(place, draw) {
  let plot = null;
  let width = 0;
  const again = () => {
    plot?.destroy();
    plot = draw(place.clientWidth);
  };
  new ResizeObserver(() => {
    if (place.clientWidth === width || !place.clientWidth) return;
    width = place.clientWidth;
    again();
  }).observe(place);
  new MutationObserver(again).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
  return () => plot;
}

const axis = (more) => ({ stroke: colour("--soft"), font: FONT, ticks: { show: false }, ...more });

function textWidth(labels) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = FONT;
  return Math.max(...labels.map((label) => pen.measureText(label).width));
}

/** Bars: standing for classes of a number, lying for things with names. */
function bars(place, { labels, values, unit }, lying) {
  const places = labels.map((_, k) => k);
  const label = (plot, splits) => splits.map((k) => labels[k] ?? "");
  const names = axis({
    scale: "x",
    side: lying ? 3 : 2,
    grid: { show: false },
    splits: () => (lying ? places : thinned(places, labels, place.clientWidth)),
    values: label,
    size: lying ? Math.min(textWidth(labels) + 16, place.clientWidth * 0.5) : 34,
    label: unit || undefined,
    labelFont: FONT,
    labelSize: 24,
  });
  const counts = axis({
    scale: "y",
    side: lying ? 2 : 3,
    grid: { stroke: colour("--line"), width: 1 },
    incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000],
    values: (plot, splits) => splits.map((value) => value.toLocaleString(document.documentElement.lang)),
    size: lying ? 34 : 44,
    space: lying ? 60 : 40,
  });
  return (width) =>
    new uPlot(
      {
        width,
        height: lying ? 48 + 34 * labels.length : 250,
        legend: { show: false },
        cursor: { show: false },
        scales: {
          x: { time: false, range: [-0.6, labels.length - 0.4], ori: lying ? 1 : 0, dir: lying ? -1 : 1 },
          y: { range: [0, Math.max(1, ...values) * 1.08], ori: lying ? 0 : 1 },
        },
        axes: [
          { ...names, stroke: colour("--soft") },
          { ...counts, stroke: colour("--soft"), grid: { stroke: colour("--line"), width: 1 } },
        ],
        series: [
          {},
          {
            fill: colour("--accent"),
            stroke: colour("--accent"),
            width: 0,
            points: { show: false },
            paths: uPlot.paths.bars({ size: [0.72, 60], radius: 0.12 }),
          },
        ],
        hooks: { draw: [(plot) => numbers(plot, values, lying)] },
      },
      [places, values],
      place,
    );
}

/** So many labels as have room. */
function thinned(places, labels, width) {
  const room = Math.max(1, Math.floor((width - 60) / (textWidth(labels) + 14)));
  const step = Math.ceil(labels.length / room);
  return places.filter((k) => k % step === 0);
}

/** The number at the end of each bar. */
function numbers(plot, values, lying) {
  const { ctx } = plot;
  const scale = devicePixelRatio;
  ctx.save();
  ctx.font = `600 ${13 * scale}px Source Sans, system-ui, sans-serif`;
  ctx.fillStyle = colour("--ink");
  ctx.textAlign = lying ? "left" : "center";
  ctx.textBaseline = lying ? "middle" : "bottom";
  values.forEach((value, k) => {
    if (!value) return;
    const along = plot.valToPos(k, "x", true);
    const up = plot.valToPos(value, "y", true);
    const told = value.toLocaleString(document.documentElement.lang);
    if (!lying) return ctx.fillText(told, along, up - 3 * scale);
    const inside = up + 6 * scale + ctx.measureText(told).width > plot.bbox.left + plot.bbox.width;
    ctx.textAlign = inside ? "right" : "left";
    ctx.fillStyle = colour(inside ? "--on-accent" : "--ink");
    ctx.fillText(told, inside ? up - 6 * scale : up + 6 * scale, along);
  });
  ctx.restore();
}

/** Lines over the moments of a match, one a player; `pick` is called with the moment that is tapped. */
export function lines(place, series, names, colours, pick) {
  const moments = series.map((_, k) => k);
  const columns = names.map((_, seat) => series.map((each) => each[seat] * 100));
  const dashes = [[], [8, 4], [2, 4], [12, 4, 2, 4]];
  return (width) => {
    const plot = new uPlot(
      {
        width,
        height: 180,
        legend: { show: true, live: false },
        cursor: { y: false, points: { show: false } },
        scales: { x: { time: false }, y: { range: [0, 100] } },
        axes: [axis({ stroke: colour("--soft"), size: 30, grid: { show: false } }), axis({ stroke: colour("--soft"), size: 44, grid: { stroke: colour("--line") }, values: (_, splits) => splits.map((value) => `${value} %`) })],
        series: [
          { label: "" },
          // Dashes tell the players apart where colours do not.
          ...names.map((name, seat) => ({ label: name, stroke: colour(`--${colours[seat]}`), width: 2.5, dash: dashes[seat], points: { show: false } })),
        ],
      },
      [moments, ...columns],
      place,
    );
    plot.over.addEventListener("click", () => plot.cursor.idx !== null && pick(plot.cursor.idx));
    return plot;
  };
}

for (const place of document.querySelectorAll(".plot[data-chart]")) {
  const lying = place.closest("figure").dataset.lying === "yes";
  kept(place, (width) => bars(place, JSON.parse(place.dataset.chart), lying)(width));
}
