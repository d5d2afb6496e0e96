/** Buttons of the external providers, on the sign-in page. */
export function ProviderButtons() {
  return null;
}
