import type { i18n } from "i18next";

export type Texts = Record<string, unknown>;

export const NAMESPACE = "rollcall";

/**
 * Adds texts to those of a language, whatever arrives first: the texts of all pages and those of one feature have
 * branches in common, and the later of two would otherwise replace the branch of the earlier.
 */
export function addTexts(instance: i18n, language: string, texts: Texts): void {
  instance.addResourceBundle(language, NAMESPACE, texts, true, false);
}
