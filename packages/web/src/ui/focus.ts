const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled), [tabindex]:not([tabindex="-1"])';

/** Moves the focus to the next thing of the page that the keyboard reaches, for a control that is about to disappear. */
export function focusBehind(control: HTMLElement): void {
  const all = [...(control.closest("main") ?? document).querySelectorAll<HTMLElement>(FOCUSABLE)];
  const shown = all.filter((one) => one === control || one.offsetParent !== null);
  shown[shown.indexOf(control) + 1]?.focus();
}
