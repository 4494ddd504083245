// Light or dark: the system's choice until the button is pressed.
export function mountTheme(button: HTMLButtonElement): void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const root = document.documentElement;
  const name = () => root.dataset['theme'] ?? (dark.matches ? 'dark' : 'light');
  const label = () => button.setAttribute('aria-label', `Colours: ${name()}. Press for ${name() === 'dark' ? 'light' : 'dark'}.`);
  button.addEventListener('click', () => {
    root.dataset['theme'] = name() === 'dark' ? 'light' : 'dark';
    label();
  });
  dark.addEventListener('change', label);
  label();
}
