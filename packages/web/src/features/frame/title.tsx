import { useEffect, useRef, useState, type RefObject } from "react";
import { useRouterState } from "@tanstack/react-router";
import { useClientConfig } from "#core/client.ts";
import { useText } from "#core/i18n.ts";
import type { NavigationEntry } from "#core/pages.ts";
import { setTitle, titleOf, useOpenRecord } from "#core/title.ts";
import { pageAt } from "./address.ts";

/** The names of the open record and of its page, as far as they have one; sets the title of the tab. */
export function useDocumentTitle(pages: readonly NavigationEntry[]): string {
  const { t } = useText();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const here = pageAt(pages, path);
  const name = useClientConfig()?.name ?? "Rollcall";
  const shown = titleOf(useOpenRecord(), here && t(here.label));
  useEffect(() => {
    setTitle(titleOf(shown, name));
  }, [shown, name]);
  return shown;
}

/**
 * Announces each page and record that opens after the first one. When another page opens, the focus moves to its heading,
 * or to the page, unless it is already on something of the page. Between records of a list the focus stays where it is.
 */
export function Announcements({
  shown,
  pages,
  main,
}: {
  shown: string;
  pages: readonly NavigationEntry[];
  main: RefObject<HTMLElement | null>;
}) {
  const path = useRouterState({ select: (state) => (state.resolvedLocation ?? state.location).pathname });
  const page = pageAt(pages, path)?.to ?? path;
  const [said, setSaid] = useState("");
  const first = useRef<{ page: string | null; shown: string | null }>({ page, shown });

  useEffect(() => {
    if (first.current.shown === shown) return;
    first.current.shown = null;
    setSaid(shown);
  }, [shown]);

  useEffect(() => {
    if (first.current.page === page) return;
    first.current.page = null;
    focusPage(main.current);
  }, [page, main]);

  return (
    <div role="status" className="rc-hidden">
      {said}
    </div>
  );
}

function focusPage(main: HTMLElement | null): void {
  const focused = document.activeElement;
  if (!main || document.querySelector('[role="dialog"]') || (focused !== main && main.contains(focused))) return;
  const heading = main.querySelector("h1");
  if (heading && !heading.hasAttribute("tabindex")) heading.tabIndex = -1;
  (heading ?? main).focus({ preventScroll: true });
}
