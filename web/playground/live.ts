// The polite live region: what a screen reader says after an act.
export function say(text: string): void {
  const region = document.getElementById('live');
  if (region && region.textContent !== text) region.textContent = text;
}
