const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled), [tabindex]:not([tabindex="-1"])';

/** True while nothing of the page has the focus. */
export const isFocusLost = (): boolean => document.activeElement === null || document.activeElement === document.body;

const HEADING = "aside [data-heading]";
let isRecordNext = false;

/**
 * After a dialog that the address opened: nothing had the focus before. What it made opens beside the list, perhaps only
 * when its part of the application is there.
 */
export function focusRecordNext(): void {
  const heading = document.querySelector<HTMLElement>(HEADING);
  heading?.focus({ preventScroll: true });
  isRecordNext = heading === null;
}

/** Whether the heading of a record that appears takes the focus. */
export function takesFocus(): boolean {
  const next = isRecordNext && isFocusLost();
  isRecordNext = false;
  return next;
}

/** Once the page is drawn, gives the focus to what is found, unless something has it. */
export function keepFocus(find: () => HTMLElement | null | undefined): void {
  requestAnimationFrame(() => requestAnimationFrame(() => isFocusLost() && find()?.focus({ preventScroll: true })));
}

/** Moves the focus to the next thing of the page that the keyboard reaches, for a control that is about to disappear. */
export function focusBehind(control: HTMLElement): void {
  const all = [...(control.closest("main") ?? document).querySelectorAll<HTMLElement>(FOCUSABLE)];
  const shown = all.filter((one) => one === control || one.offsetParent !== null);
  shown[shown.indexOf(control) + 1]?.focus();
}
