/** What the operators want everybody to know. */
export function SystemBanner() {
  return null;
}
