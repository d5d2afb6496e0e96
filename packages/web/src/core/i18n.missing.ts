/**
 * A key without a text, and without a default that its caller gave, is a fault that every test of pages finds.
 * For a text with a count, i18next names the key of each form (`records_one`) and shows the key without it.
 */
export function reportMissing(_languages: readonly string[], _namespace: string, key: string, shown: string): void {
  if (key === shown || key.startsWith(`${shown}_`)) reportError(new Error(`there is no text ${key}`));
}
