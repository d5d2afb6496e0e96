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
import { recentOf } from "#core/recent.ts";
import { searchable } from "#ui/list.tsx";
import { Keys } from "#ui/small.tsx";
import { ProblemNote } from "#ui/states.tsx";
import { entriesOf, type Entry, type OfferedCommand } from "./search.entries.ts";
import classes from "./search.module.css";

export interface SearchDialogProps {
  readonly pages: readonly NavigationEntry[];
  readonly jumps: readonly Jump[];
  readonly commands: readonly OfferedCommand[];
  onClose(): void;
}

const PAUSE = 150;

/** One field for people, vehicles, pages, short ids such as CIT-12, and what can be done. */
export default function SearchDialog({ pages, jumps, commands, onClose }: SearchDialogProps) {
  const { t } = useText();
  const router = useRouter();
  const [text, setText] = useState("");
  const [wanted, setWanted] = useState(0);
  const { entries, found, asked } = useEntries(text.trim(), { pages, jumps, commands });
  const active = Math.min(wanted, Math.max(0, entries.length - 1));
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);

  useEffect(() => {
    list.current?.querySelector(`[data-index="${active}"]`)?.scrollIntoView({ block: "nearest" });
  }, [active]);

  const go = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    if (entry.href !== undefined) router.history.push(entry.href);
    entry.run?.();
  };

  const type = (typed: string) => {
    setText(typed);
    setWanted(0);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setWanted((active + step + entries.length) % Math.max(1, entries.length));
    else if (event.key === "Enter") go(entries[active]);
    else return;
    event.preventDefault();
  };

  return (
    <Modal
      opened
      onClose={onClose}
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
      {found.isError && <ProblemNote error={found.error} onRetry={() => void found.refetch()} />}
      <div ref={list} id={listId} role="listbox" aria-label={t("search.results")} className={`rc-scroll ${classes["list"]}`}>
        <Groups entries={entries} active={active} listId={listId} onGo={go} onHover={setWanted} />
      </div>
      <div className={classes["state"]} role="status">
        {statusText(t, asked, found.isFetching, entries.length)}
      </div>
    </Modal>
  );
}

/** The results for the text: from the server after a short pause, from the pages at once. */
function useEntries(text: string, sources: Pick<SearchDialogProps, "pages" | "jumps" | "commands">) {
  const { t } = useText();
  const { character } = useActiveIdentity();
  const asked = useDebouncedValue(text, PAUSE)[0];
  const found = useQuery({
    ...queryOf(searchAll, { query: { q: asked } }),
    enabled: searchable(asked) !== "",
    placeholderData: keepPreviousData,
  });
  const recent = useMemo(() => recentOf(character.id), [character.id]);
  const results = searchable(asked) === "" ? [] : (found.data?.results ?? []);
  return { entries: entriesOf({ ...sources, t, text, recent, results }), found, asked };
}

function statusText(t: Translate, asked: string, fetching: boolean, count: number): string {
  if (count > 0) return t("search.count", { count });
  if (asked === "") return t("search.hint");
  if (searchable(asked) === "") return t("search.short");
  return fetching ? t("web.loading") : t("search.nothing", { text: asked });
}

interface GroupsProps {
  readonly entries: readonly Entry[];
  readonly active: number;
  readonly listId: string;
  onGo(entry: Entry): void;
  onHover(index: number): void;
}

function Groups({ entries, active, listId, onGo, onHover }: GroupsProps) {
  const groups = [...new Set(entries.map(({ group }) => group))];
  return groups.map((group) => (
    <div key={group} role="group" aria-label={group}>
      <div className={classes["group"]} role="presentation">
        {group}
      </div>
      {entries.map((entry, index) =>
        entry.group !== group ? null : (
          <div
            key={entry.id}
            id={`${listId}-${index}`}
            data-index={index}
            role="option"
            aria-selected={index === active}
            className={classes["option"]}
            onMouseMove={() => onHover(index)}
            tabIndex={-1}
            onMouseDown={(event) => {
              event.preventDefault();
              onGo(entry);
            }}
          >
            <entry.icon size={17} stroke={1.7} />
            <span className={classes["title"]}>{entry.title}</span>
            {entry.subtitle && <span className={classes["subtitle"]}>{entry.subtitle}</span>}
            <span className={classes["end"]}>{entry.keys ? <Keys keys={entry.keys} hint /> : entry.ref}</span>
          </div>
        ),
      )}
    </div>
  ));
}
