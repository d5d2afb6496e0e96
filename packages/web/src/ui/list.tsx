import { memo, useEffect, useEffectEvent, useRef, useState, type ReactNode } from "react";
import { ActionIcon, Button, Indicator, TextInput } from "@mantine/core";
import { IconAdjustmentsHorizontal, IconSearch, IconX } from "@tabler/icons-react";
import { systemClock } from "#core/clock.ts";
import { useText } from "#core/i18n.ts";
import { useShortcuts } from "#core/keyboard.ts";
import { useLatest } from "./latest.ts";
import { Keys } from "./small.tsx";
import classes from "./list.module.css";

interface ListPageProps {
  readonly title: string;
  /** The search box, and the fields that open below it. */
  readonly search: ReactNode;
  readonly beside?: ReactNode;
  /** What is filtered. */
  readonly chips: ReactNode;
  readonly children: ReactNode;
}

/** A titled list with its filters above. */
export function ListPage({ title, search, beside, chips, children }: ListPageProps) {
  return (
    <div className={classes["page"]}>
      <div className={classes["head"]}>
        <h1>{title}</h1>
        <div className={classes["filters"]}>{search}</div>
        {beside && <div className={classes["beside"]}>{beside}</div>}
      </div>
      {chips}
      <div className={classes["body"]}>{children}</div>
    </div>
  );
}

export interface SearchBarProps {
  /** Label of the search box. */
  readonly label: string;
  readonly query: string;
  onQuery(text: string): void;
  /** How many of the further filters are set. */
  readonly set: number;
  /** Moves the focus from the box into the rows, with Enter or the arrow key. */
  onInto(): void;
  /** Fields of the further filters; null where there are none. */
  readonly fields: ReactNode;
}

/** The search box, and further filters that open below it. Its width does not depend on what is typed. `/` goes to the box. */
export function SearchBar({ fields, onQuery, onInto, ...box }: SearchBarProps) {
  // On a narrow screen the fields would leave no room for the rows; the chips say what is filtered.
  const [opened, setOpened] = useState(() => box.set > 0 && matchMedia("(min-width: 700px)").matches);
  const actions = useLatest({ onQuery, onInto, onToggle: () => setOpened(!opened) });
  return (
    <>
      <SearchBox {...box} {...actions} opened={fields === null ? null : opened} />
      {opened && fields !== null && <div className={classes["more"]}>{fields}</div>}
    </>
  );
}

type SearchBoxProps = Omit<SearchBarProps, "fields"> & {
  /** Whether the further filters are open; null where there are none. */
  readonly opened: boolean | null;
  onToggle(): void;
};

function PlainSearchBox(props: SearchBoxProps) {
  const { t } = useText();
  const { opened } = props;
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useTypedText(props.query, props.onQuery, searchable);
  useShortcuts([{ keys: "/", label: "web.keys.filter", group: "page", run: () => input.current?.select() }]);

  return (
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
          if (event.key === "Escape") {
            if (text === "") event.currentTarget.blur();
            else setText("");
          }
          if (event.key !== "Enter" && event.key !== "ArrowDown") return;
          event.preventDefault();
          // Rows of an earlier search are about to be replaced.
          if (searchable(text) === props.query) props.onInto();
        }}
      />
      {opened !== null && (
        <Indicator disabled={props.set === 0} label={props.set} size={16} offset={4} zIndex={1}>
          <Button
            variant="default"
            leftSection={<IconAdjustmentsHorizontal size={16} />}
            aria-expanded={opened}
            onClick={props.onToggle}
          >
            {t("web.filter.more")}
          </Button>
        </Indicator>
      )}
    </div>
  );
}

const SearchBox = memo(PlainSearchBox);

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
