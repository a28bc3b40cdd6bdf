// A phone as the camera: its pictures go to the table, as many as the referee needs, and what the referee sees comes back.

const at = (id) => document.getElementById(id);
const texts = JSON.parse(at("texts").textContent);
const say = (name, facts = {}) => (texts[name] ?? "").replace(/\{(\w+)\}/g, (whole, fact) => facts[fact] ?? whole);

const WANTED = { width: 1280, height: 720 };
const SMALL = { width: 80, height: 45 }; // to see whether anything moves
const STIRRED = 16; // of 255: a small pixel that changed by so much
const ANYWHERE = 4; // so many of them are a hand
const AWAKE = 3000; // milliseconds for which pictures come quickly after something moved
const STILL = 500; // milliseconds between two pictures of a table where nothing moves
const OVERDUE = 4000; // an answer that is late by so much will not come
const AGAIN = 1500;
const QUALITY = { best: 0.85, least: 0.5, step: 0.05 };
const SLOW = 350; // milliseconds from sending a picture until it has come: then the next ones are packed tighter
const FINAL = { 4403: "stale", 4409: "replaced" };

const video = at("video");
let code = location.hash.slice(1);
let key = localStorage.getItem("camera-key");
let socket = null;
let sentAt = null; // when the picture was sent that has not come yet
let lastSent = 0;
let movedAt = 0;
let quality = QUALITY.best;
let fps = 10;
let view = null;
let trouble = null;
let ended = false;

// The socket

function connect() {
  note("way", say("connecting"));
  socket = new WebSocket(`wss://${location.host}/phone/frames`);
  socket.binaryType = "arraybuffer";
  socket.onopen = () => {
    socket.send(JSON.stringify(code ? { code, key } : { key }));
    if (trouble) socket.send(JSON.stringify({ trouble }));
  };
  socket.onmessage = (event) => hear(JSON.parse(event.data));
  socket.onclose = (event) => {
    sentAt = null;
    view = null;
    // A link that has been used is no end for the phone that used it.
    if (event.code === 4403 && code && key) { code = ""; return void setTimeout(connect, 0); }
    ended = event.code in FINAL;
    note("way", "");
    problem("line", say(FINAL[event.code] ?? "again"));
    if (!ended) setTimeout(connect, AGAIN);
  };
}

function hear(told) {
  if (told.key) {
    key = told.key;
    localStorage.setItem("camera-key", key);
    code = "";
    // The secret shall not lie about in the address.
    history.replaceState(null, "", location.pathname);
    note("way", say("connected"));
    problem("line", "");
  }
  if (told.got && sentAt !== null) {
    const took = performance.now() - sentAt;
    quality = took > SLOW ? Math.max(QUALITY.least, quality - QUALITY.step) : Math.min(QUALITY.best, quality + QUALITY.step / 5);
    sentAt = null;
  }
  if (told.fps) fps = told.fps;
  if (told.view) { view = told.view; show(); }
}

function tell(name) {
  trouble = name;
  problem("camera", name ? say(name) : "");
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ trouble: name ?? "" }));
}

// What is told of one thing does not hide what is told of another.
const wrong = { line: "", camera: "" };
const known = { way: "", sleep: "" };
const write = (place, told) => { at(place).textContent = Object.values(told).filter(Boolean).join(" "); };

/** What is wrong with the way to the table, or with the camera. */
function problem(what, text) {
  wrong[what] = text;
  write("problem", wrong);
}

/** How the way to the table is, and whether the phone may go to sleep. */
function note(what, text) {
  known[what] = text;
  write("line", known);
}

// The pictures

const packed = document.createElement("canvas");
const small = Object.assign(document.createElement("canvas"), SMALL);
let before = null;

/** Whether something moved since the last time, by a picture so small that noise averages out. */
function moves() {
  const brush = small.getContext("2d", { willReadFrequently: true });
  brush.drawImage(video, 0, 0, SMALL.width, SMALL.height);
  const { data } = brush.getImageData(0, 0, SMALL.width, SMALL.height);
  let stirred = 0;
  if (before) for (let i = 1; i < data.length; i += 4) stirred += Math.abs(data[i] - before[i]) > STIRRED;
  before = data;
  return stirred >= ANYWHERE;
}

/** Look at every picture of the camera once. The same one sent again would pass for a table that stands still. */
function watch() {
  if (watch.begun) return;
  watch.begun = true;
  let last = null;
  const take = (which) => {
    if (which !== last) tick();
    last = which;
  };
  if (!video.requestVideoFrameCallback) return void setInterval(() => take(video.currentTime), 50);
  const hear = (_, { presentedFrames }) => {
    video.requestVideoFrameCallback(hear);
    take(presentedFrames);
  };
  video.requestVideoFrameCallback(hear);
}

/** Never more than one picture is on its way: what is sent is always the newest. */
function tick() {
  const now = performance.now();
  if (moves()) movedAt = now;
  if (sentAt !== null && now - sentAt > OVERDUE) sentAt = null;
  const hurry = view === null || view.busy || now - movedAt < AWAKE;
  if (socket?.readyState !== WebSocket.OPEN || !key || sentAt !== null || document.hidden) return;
  if (now - lastSent < (hurry ? 1000 / fps : STILL) - 5 || !video.videoWidth) return;
  lastSent = sentAt = now;
  const scale = Math.min(1, Math.max(WANTED.width, WANTED.height) / Math.max(video.videoWidth, video.videoHeight));
  packed.width = Math.round(video.videoWidth * scale);
  packed.height = Math.round(video.videoHeight * scale);
  packed.getContext("2d").drawImage(video, 0, 0, packed.width, packed.height);
  packed.toBlob((jpeg) => {
    if (jpeg && socket.readyState === WebSocket.OPEN) socket.send(jpeg);
    else sentAt = null;
  }, "image/jpeg", quality);
}

// What the referee sees

function show() {
  const [advice, facts] = view.advice;
  at("advice").textContent = say(advice, facts);
  at("advice").classList.toggle("good", advice === "fits");
  draw();
}

const INKS = { red: "#ff4d5a", yellow: "#ffd83d", green: "#3ddc6b", blue: "#5b9bff" };

function draw() {
  const canvas = at("overlay");
  const { width, height } = canvas.getBoundingClientRect();
  const sharp = devicePixelRatio || 1;
  canvas.width = width * sharp;
  canvas.height = height * sharp;
  const brush = canvas.getContext("2d");
  brush.scale(sharp, sharp);
  // The video is fitted into its place: the marks must be, too.
  const scale = Math.min(width / (video.videoWidth || 1), height / (video.videoHeight || 1));
  const [w, h] = [(video.videoWidth || 1) * scale, (video.videoHeight || 1) * scale];
  const put = ([u, v]) => [(width - w) / 2 + u * w, (height - h) / 2 + v * h];
  brush.lineWidth = 2;
  if (view.outline.length) {
    brush.strokeStyle = view.advice[0] === "fits" ? INKS.green : INKS.yellow;
    brush.beginPath();
    view.outline.forEach((corner) => brush.lineTo(...put(corner)));
    brush.closePath();
    brush.stroke();
  }
  brush.font = "600 12px system-ui, sans-serif";
  brush.textAlign = "center";
  brush.textBaseline = "middle";
  for (const mark of view.marks) {
    const [x, y] = put(mark.at);
    brush.setLineDash(mark.sure ? [] : [3, 3]);
    brush.strokeStyle = INKS[mark.kind] ?? "#fff";
    brush.beginPath();
    brush.arc(x, y, 12, 0, 7);
    brush.stroke();
    if (!mark.level) continue;
    brush.fillStyle = "#fff";
    brush.fillText(String(mark.level), x, y);
  }
}

// The camera

async function start() {
  at("prepare").hidden = true;
  at("seen").hidden = false;
  at("advice").textContent = say("starting");
  problem("camera", "");
  if (!socket) connect();
  if (!navigator.mediaDevices?.getUserMedia) return problem("camera", say("insecure"));
  // The whole screen, and no turning of the picture while the phone is laid down, where the browser can do it.
  document.documentElement.requestFullscreen?.({ navigationUI: "hide" }).then(() => screen.orientation?.lock?.("landscape")).catch(() => {});
  let stream;
  try {
    stream = await navigator.mediaDevices.getUserMedia({
      audio: false,
      video: { facingMode: { ideal: "environment" }, width: { ideal: WANTED.width }, height: { ideal: WANTED.height }, frameRate: { ideal: 30 } },
    });
  } catch (error) {
    at("prepare").hidden = false;
    at("seen").hidden = true;
    return tell({ NotAllowedError: "permission", SecurityError: "permission", NotReadableError: "busy", AbortError: "busy" }[error.name] ?? "none");
  }
  tell(null);
  at("advice").textContent = say("look");
  watch();
  video.srcObject = stream;
  await video.play().catch(() => {});
  const [track] = stream.getVideoTracks();
  track.onended = () => { tell("busy"); at("prepare").hidden = false; at("seen").hidden = true; };
  await stayAwake();
}

async function stayAwake() {
  if (!("wakeLock" in navigator)) return note("sleep", say("sleeps"));
  await navigator.wakeLock.request("screen").then(() => note("sleep", ""), () => note("sleep", say("sleeps")));
}

at("start").onclick = start;
delete document.documentElement.dataset.deaf;
addEventListener("hashchange", () => location.reload());
addEventListener("resize", () => view && draw());
document.addEventListener("visibilitychange", () => {
  if (!video.srcObject) return;
  tell(document.hidden ? "hidden" : null);
  if (!document.hidden) stayAwake();
});
