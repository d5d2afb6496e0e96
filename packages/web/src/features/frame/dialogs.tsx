import { lazy, Suspense, useEffect } from "react";
import { collectTyping, takeTyped } from "#core/keyboard.ts";
import type { Jump, NavigationEntry } from "#core/pages.ts";
import { createStore, useStore } from "#core/store.ts";
import { loadSearchDialog } from "#features/search/search.api.ts";

const SearchDialog = lazy(loadSearchDialog);
const HelpDialog = lazy(() => import("./help.tsx"));
const AdminDialog = lazy(() => import("./admin.tsx"));

export type DialogName = "search" | "help" | "admin";

const opened = createStore<DialogName | null>(null);

export function openDialog(name: DialogName): void {
  if (name === "search" && opened.get() !== "search") collectTyping();
  opened.set(name);
}

/** Loads the search dialog when it is about to open; letters typed meanwhile are collected. */
export function fetchSearch(): void {
  loadSearchDialog().catch(() => undefined);
}

/** While a dialog is open, the page below is inert. */
export function useDialogOpen(): boolean {
  return useStore(opened) !== null;
}

/** The dialogs of the frame, loaded when first opened. */
export function Dialogs(props: { pages: readonly NavigationEntry[]; jumps: readonly Jump[] }) {
  const name = useStore(opened);
  const close = () => {
    takeTyped();
    opened.set(null);
  };
  useEffect(() => {
    const ahead = ({ key }: KeyboardEvent) => {
      if (key === "Control" || key === "Meta") fetchSearch();
    };
    addEventListener("keydown", ahead);
    return () => removeEventListener("keydown", ahead);
  }, []);
  return (
    <Suspense fallback={null}>
      {name === "search" && <SearchDialog pages={props.pages} jumps={props.jumps} onClose={close} />}
      {name === "help" && <HelpDialog onClose={close} />}
      {name === "admin" && <AdminDialog onClose={close} />}
    </Suspense>
  );
}
