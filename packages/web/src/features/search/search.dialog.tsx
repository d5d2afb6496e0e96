import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from "react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { Modal } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { searchAll } from "@rollcall/server/contract/search";
import { useActiveIdentity } from "#core/abilities.ts";
import { useText, type Translate } from "#core/i18n.ts";
import { takeTyped } from "#core/keyboard.ts";
import type { Jump, NavigationEntry } from "#core/pages.ts";
import { queryOf } from "#core/queries.ts";
import { frequentOf, recentOf } from "#core/recent.ts";
import { showToast } from "#core/toasts.ts";
import { copyToClipboard } from "#ui/copy.tsx";
import { useReturnedFocus } from "#ui/dialog.tsx";
import { searchable } from "#ui/list.tsx";
import { Keys } from "#ui/small.tsx";
import { ProblemNote } from "#ui/states.tsx";
import {
  actionsOf,
  entriesOf,
  listEntriesOf,
  mostRecent,
  type Entry,
  type OfferedAction,
  type OfferedCommand,
} from "./search.entries.ts";
import { Groups, Kinds } from "./search.parts.tsx";
import classes from "./search.module.css";

export interface SearchDialogProps {
  readonly pages: readonly NavigationEntry[];
  readonly jumps: readonly Jump[];
  readonly actions: ReadonlyMap<string, readonly OfferedAction[]>;
  readonly commands: readonly OfferedCommand[];
  onClose(): void;
}

/** Milliseconds without a key before the server is asked. */
const PAUSE = 80;

/** One field for people, vehicles, pages, short ids such as CIT-12, and what can be done. */
export default function SearchDialog({ pages, jumps, actions, commands, onClose }: SearchDialogProps) {
  const { t } = useText();
  const router = useRouter();
  const [text, setText] = useState("");
  const [kind, setKind] = useState<string | null>(null);
  const [wanted, setWanted] = useState(0);
  const [chosen, setChosen] = useState<Entry | null>(null);
  const copyShown = (copied: string) => void copy(t, copied);
  const found = useEntries(text.trim(), { pages, jumps, commands, actions, kind, copy: copyShown });
  const linkTo = (path: string) => new URL(router.history.createHref(path), location.href).href;
  const acting = { t, actions, linkTo, copy: copyShown };
  const entries = chosen ? actionsOf(acting, chosen) : found.entries;
  const active = Math.min(wanted, Math.max(0, entries.length - 1));
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  useReturnedFocus();

  useEffect(() => {
    list.current?.querySelector(`[data-index="${active}"]`)?.scrollIntoView({ block: "nearest" });
  }, [active]);

  const type = (next: string) => {
    setText(next);
    setChosen(null);
    setWanted(0);
  };

  const show = (entry: Entry | null) => {
    setChosen(entry);
    setWanted(entry ? 0 : found.entries.findIndex(({ id }) => id === chosen?.id));
  };

  const go = (entry: Entry | undefined) => {
    if (!entry) return;
    if (entry.fill !== undefined) {
      type(entry.fill);
      input.current?.focus();
      return;
    }
    if (entry.href === undefined && !entry.run) {
      show(entry);
      return;
    }
    onClose();
    if (entry.href !== undefined) router.history.push(entry.href);
    entry.run?.();
  };

  const only = (next: string | null) => {
    setKind(next);
    setChosen(null);
    setWanted(0);
    input.current?.focus();
  };

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const isAtEnd = event.currentTarget.selectionStart === text.length;
    const entry = entries[active];
    if (step !== undefined) setWanted((active + step + entries.length) % Math.max(1, entries.length));
    else if (event.key === "Enter") go(entry);
    else if (chosen && (event.key === "Escape" || event.key === "ArrowLeft")) show(null);
    else if (!chosen && event.key === "ArrowRight" && isAtEnd && entry?.object) show(entry);
    else if (event.key === "Backspace" && text === "" && kind !== null) only(null);
    else return;
    event.preventDefault();
  };

  return (
    <Modal
      opened
      onClose={onClose}
      closeOnEscape={chosen === null}
      withCloseButton={false}
      padding={0}
      size={620}
      yOffset="10vh"
      centered={false}
      attributes={{ content: { "aria-label": t("search.title") } }}
    >
      <div className={classes["box"]}>
        <IconSearch size={18} aria-hidden />
        <input
          ref={input}
          className={classes["input"]}
          placeholder={t("search.placeholder")}
          aria-label={t("search.placeholder")}
          role="combobox"
          aria-expanded={entries.length > 0}
          aria-controls={listId}
          aria-activedescendant={entries.length > 0 ? `${listId}-${active}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          maxLength={64}
          autoFocus
          data-autofocus
          value={text}
          onFocus={() => setText((before) => before + takeTyped())}
          onChange={(event) => type(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <Keys keys="Esc" hint />
      </div>
      <Kinds jumps={jumps} kind={kind} onKind={only} />
      {found.query.isError && <ProblemNote error={found.query.error} onRetry={() => void found.query.refetch()} />}
      <div ref={list} id={listId} role="listbox" aria-label={t("search.results")} className={`rc-scroll ${classes["list"]}`}>
        <Groups entries={entries} active={active} listId={listId} onGo={go} onHover={setWanted} onActions={show} />
      </div>
      <div className={classes["state"]} role="status">
        {chosen ? t("search.actionsHint") : statusText(t, found.asked, found.query.isFetching, found.found)}
      </div>
    </Modal>
  );
}

async function copy(t: Translate, text: string): Promise<void> {
  if (await copyToClipboard(text)) showToast({ tone: "success", title: t("search.copied"), text });
}

type EntrySources = Pick<SearchDialogProps, "pages" | "jumps" | "commands" | "actions"> & {
  readonly kind: string | null;
  copy(text: string): void;
};

/**
 * The entries for the text: from the server after a short pause, from the pages at once. Where these are none, there are
 * lists to search, which are not `found`.
 */
function useEntries(text: string, sources: EntrySources) {
  const { t } = useText();
  const identity = useActiveIdentity();
  const { character } = identity;
  const { kind, jumps } = sources;
  const asked = useDebouncedValue(text, PAUSE)[0];
  const query = useQuery({
    ...queryOf(searchAll, { query: { q: asked, ...(kind === null ? {} : { kind }) } }),
    enabled: searchable(asked) !== "",
    placeholderData: keepPreviousData,
  });
  const opened = useMemo(
    () => ({ recent: recentOf(character.id), frequent: frequentOf(character.id, mostRecent) }),
    [character.id],
  );
  const all = searchable(asked) === "" ? [] : (query.data?.results ?? []);
  // Until the answer for another kind is there, the one before is shown.
  const results = all.filter((one) => kind === null || one.kind === kind);
  const entries = entriesOf({ ...sources, ...opened, t, text, results });
  const isAnswered = searchable(text) !== "" && text === asked && query.isSuccess && !query.isPlaceholderData;
  const others = entries.length === 0 && isAnswered ? listEntriesOf({ t, text, kind, jumps }, identity) : [];
  return { entries: [...entries, ...others], found: entries.length, query, asked };
}

function statusText(t: Translate, asked: string, fetching: boolean, count: number): string {
  if (count > 0) return t("search.count", { count });
  if (asked === "") return t("search.hint");
  if (searchable(asked) === "") return t("search.short");
  return fetching ? t("web.loading") : t("search.nothing", { text: asked });
}
