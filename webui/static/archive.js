// The filters of the list and of the statistics: choosing is enough, the button is for those without scripts.

for (const form of document.querySelectorAll("form.filters")) {
  for (const choice of form.querySelectorAll("select")) {
    choice.onchange = () => {
      // What is not chosen need not stand in the address.
      for (const each of form.querySelectorAll("select")) each.disabled = !each.value;
      form.submit();
    };
  }
}
// Coming back by the browser's button finds the form as it was left.
window.addEventListener("pageshow", () => {
  for (const choice of document.querySelectorAll("form.filters select")) choice.disabled = false;
});
