import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from "react";
import { ActionIcon, Button, Indicator, TextInput } from "@mantine/core";
import { IconAdjustmentsHorizontal, IconSearch, IconX } from "@tabler/icons-react";
import { systemClock } from "#core/clock.ts";
import { useText } from "#core/i18n.ts";
import { useShortcuts } from "#core/keyboard.ts";
import { Keys } from "./small.tsx";
import classes from "./list.module.css";

/** A titled list with its filters above. */
export function ListPage(props: { title: string; filters: ReactNode; beside?: ReactNode; children: ReactNode }) {
  return (
    <div className={classes["page"]}>
      <div className={classes["head"]}>
        <h1>{props.title}</h1>
        <div className={classes["filters"]}>{props.filters}</div>
        {props.beside}
      </div>
      <div className={classes["body"]}>{props.children}</div>
    </div>
  );
}

export interface FilterBarProps {
  /** Label of the search box. */
  readonly label: string;
  readonly query: string;
  onQuery(text: string): void;
  /** How many of the further filters are set. */
  readonly set: number;
  onClear(): void;
  /** Moves the focus from the box into the rows, with Enter or the arrow key. */
  onInto(): void;
  /** The further filters. */
  readonly children?: ReactNode;
}

/** The search box, and further filters that open below it. `/` goes to the box. */
export function FilterBar(props: FilterBarProps) {
  const { t } = useText();
  // On a narrow screen the fields would leave no room for the rows; the chips say what is filtered.
  const [opened, setOpened] = useState(() => props.set > 0 && matchMedia(ROOM).matches);
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useTypedText(props.query, props.onQuery, searchable);
  useShortcuts([{ keys: "/", label: "web.keys.filter", group: "page", run: () => input.current?.select() }]);

  return (
    <>
      <div className={classes["bar"]} role="search">
        <TextInput
          ref={input}
          className={classes["search"] ?? ""}
          aria-label={props.label}
          placeholder={props.label}
          leftSection={<IconSearch size={15} />}
          rightSection={text === "" ? <Keys keys="/" hint /> : <ClearButton onClick={() => setText("")} />}
          maxLength={64}
          type="text"
          inputMode="search"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" && event.key !== "ArrowDown") return;
            event.preventDefault();
            // Rows of an earlier search are about to be replaced.
            if (searchable(text) === props.query) props.onInto();
          }}
        />
        {props.children && (
          <Indicator disabled={props.set === 0} label={props.set} size={16} offset={4} zIndex={1}>
            <Button
              variant="default"
              leftSection={<IconAdjustmentsHorizontal size={16} />}
              aria-expanded={opened}
              onClick={() => setOpened(!opened)}
            >
              {t("web.filter.more")}
            </Button>
          </Indicator>
        )}
        {(props.set > 0 || text !== "") && (
          <Button variant="subtle" color="gray" onClick={props.onClear}>
            {t("web.filter.clear")}
          </Button>
        )}
      </div>
      {opened && <div className={classes["more"]}>{props.children}</div>}
    </>
  );
}

function ClearButton({ onClick }: { onClick: () => void }) {
  const { t } = useText();
  return (
    <ActionIcon size="sm" onClick={onClick} aria-label={t("web.filter.clearText")}>
      <IconX size={14} />
    </ActionIcon>
  );
}

/** Pause after typing before the search starts. Milliseconds. */
const SETTLE = 220;

/** The search text of a typed one; empty without a word of at least two letters, as nothing could be found. */
export function searchable(text: string): string {
  const words = text.trim().split(/\s+/);
  return words.some((word) => word.length >= SHORTEST) ? words.join(" ") : "";
}

const SHORTEST = 2;

/**
 * State of a text field whose search text is passed to `onSettled` after a short pause, and that follows
 * external changes. A text with the same search text stays as it was typed, with its trailing space.
 */
export function useTypedText(
  outside: string,
  onSettled: (meaning: string) => void,
  meaningOf: (text: string) => string = (text) => text,
): [string, (text: string) => void] {
  const [text, setText] = useState(outside);
  const sent = useRef(outside);
  const settled = useEffectEvent(onSettled);
  const meaning = useEffectEvent(meaningOf);

  useEffect(() => {
    if (outside === meaning(sent.current)) return;
    sent.current = outside;
    setText(outside);
  }, [outside]);

  useEffect(() => {
    if (text === sent.current) return;
    return systemClock.after(SETTLE, () => {
      sent.current = text;
      settled(meaning(text));
    });
  }, [text]);

  return [text, setText];
}
