// What a webcam sees that is not in use: opened for a moment by the table, and drawn here.

import { change, make } from "./page.js";

/** The picture as a canvas; false if there is none, with a word about it. */
export async function glance(camera, label) {
  const told = await change("/api/v1/camera/glance", { camera });
  if (!told) return false;
  const bytes = Uint8Array.from(atob(told.jpeg), (each) => each.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes], { type: "image/jpeg" }));
  const canvas = make("canvas", { class: "glance", role: "img", "aria-label": label, width: picture.width, height: picture.height });
  canvas.getContext("2d").drawImage(picture, 0, 0);
  return canvas;
}
