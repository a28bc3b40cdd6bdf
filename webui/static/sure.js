// A question with yes and no, for pages that have the dialog.

const at = (id) => document.getElementById(id);

/** Ask before something that ends a match. */
export function sure(question) {
  const dialog = at("sure");
  at("sure-title").textContent = question;
  dialog.showModal();
  return new Promise((done) => {
    const finish = (answer) => { dialog.close(); done(answer); };
    at("sure-yes").onclick = () => finish(true);
    at("sure-no").onclick = () => finish(false);
    dialog.oncancel = () => finish(false);
  });
}
