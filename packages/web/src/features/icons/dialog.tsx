import { useRef, useState, type KeyboardEvent } from "react";
import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useText } from "#core/i18n.ts";
import { Dialog } from "#ui/dialog.tsx";
import NamedIcon from "#ui/namedIcon.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { useIconSearch } from "./icons.queries.ts";
import { stepTo } from "./steps.ts";
import classes from "./icons.module.css";

interface IconDialogProps {
  readonly value: string | null;
  onChoose(icon: string): void;
  onClose(): void;
}

/** Finds icons by name. Arrow keys move from the search field into the icons and among them. */
export default function IconDialog({ value, onChoose, onClose }: IconDialogProps) {
  const { t } = useText();
  const [text, setText] = useState("");
  const [query] = useDebouncedValue(text.trim(), 200);
  const found = useIconSearch(query);
  const list = useRef<HTMLDivElement>(null);
  const intoList = (event: KeyboardEvent) => {
    const first = list.current?.querySelector<HTMLElement>("[tabindex='0']");
    if (event.key !== "ArrowDown" || !first) return;
    event.preventDefault();
    first.focus();
  };
  return (
    <Dialog onClose={onClose} title={t("icons.panel.title")} size="lg">
      <TextInput
        label={t("icons.panel.search")}
        placeholder={t("icons.panel.example")}
        maxLength={64}
        data-autofocus
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={intoList}
      />
      {found.isPending && <Bars widths={["80%", "65%", "75%"]} />}
      {found.isError && <ProblemNote error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />}
      {found.data && (
        <>
          <p className={classes["count"]} role="status">
            {countOf(t, found.data)}
          </p>
          {found.data.icons.length > 0 && (
            <Icons key={query} list={list} icons={found.data.icons} value={value} onChoose={onChoose} />
          )}
        </>
      )}
    </Dialog>
  );
}

function countOf(t: ReturnType<typeof useText>["t"], { icons, total }: { icons: readonly string[]; total: number }): string {
  if (total === 0) return t("icons.panel.nothing");
  return total > icons.length ? t("icons.panel.first", { shown: icons.length, total }) : t("icons.panel.count", { count: total });
}

interface IconsProps {
  readonly list: React.RefObject<HTMLDivElement | null>;
  readonly icons: readonly string[];
  readonly value: string | null;
  onChoose(icon: string): void;
}

/** One stop for Tab; the arrow keys, Home and End move inside. */
function Icons({ list, icons, value, onChoose }: IconsProps) {
  const { t } = useText();
  const [current, setCurrent] = useState(() => Math.max(0, value === null ? 0 : icons.indexOf(value)));
  const at = Math.min(current, icons.length - 1);
  const move = (event: KeyboardEvent) => {
    const options = [...(list.current?.querySelectorAll<HTMLElement>("[role=option]") ?? [])];
    const next = stepTo(
      event.key,
      at,
      options.map(({ offsetTop }) => offsetTop),
    );
    if (next === null) return;
    event.preventDefault();
    setCurrent(next);
    options[next]?.focus();
  };
  return (
    <div
      ref={list}
      className={classes["icons"]}
      role="listbox"
      tabIndex={-1}
      aria-label={t("icons.panel.found")}
      onKeyDown={move}
    >
      {icons.map((icon, index) => (
        <button
          key={icon}
          type="button"
          role="option"
          className={classes["icon"]}
          aria-selected={icon === value}
          aria-label={icon.replace(":", " ").replaceAll("-", " ")}
          title={icon}
          tabIndex={index === at ? 0 : -1}
          onFocus={() => setCurrent(index)}
          onClick={() => onChoose(icon)}
        >
          <NamedIcon name={icon} size={24} />
        </button>
      ))}
    </div>
  );
}
