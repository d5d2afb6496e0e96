import { collectTyping, takeTyped } from "#core/keyboard.ts";
import type { DialogName } from "#core/pages.ts";
import { createStore, useStore } from "#core/store.ts";
import { SearchDialog } from "#features/search/search.api.ts";

const opened = createStore<DialogName | null>(null);

export function openDialog(name: DialogName): void {
  if (name === "search" && opened.get() !== "search") collectTyping();
  opened.set(name);
}

export function closeDialog(): void {
  takeTyped();
  opened.set(null);
}

/** The open dialog; while there is one, the page below is inert. */
export function useOpenDialog(): DialogName | null {
  return useStore(opened);
}

/** Loads the search dialog when it is about to open; letters typed meanwhile are collected. */
export function fetchSearch(): void {
  void SearchDialog.load();
}
