import { useState, type FormEvent } from "react";
import { ActionIcon, Button, Modal, TextInput } from "@mantine/core";
import { IconCheck, IconPencil, IconStar, IconStarFilled, IconTrash } from "@tabler/icons-react";
import type { SavedViews } from "@rollcall/server/contract/core";
import type { UsedPreference } from "#core/accountPreferences.ts";
import { useText } from "#core/i18n.ts";
import { isFiltered } from "#core/search.ts";
import { ProblemNote } from "#ui/states.tsx";
import { nameOfView, openingWith, withName, withoutView, withView, type ListSearch } from "./views.ts";
import classes from "./preferences.module.css";

const LONGEST = 60;

interface DialogProps {
  readonly preference: UsedPreference<SavedViews>;
  /** The filters that are shown now. */
  readonly search: ListSearch;
  onChoose(search: ListSearch): void;
  onClose(): void;
}

/** Choose, save, rename and delete views, and say with which one the list opens. */
export default function SavedViewsDialog({ preference, search, onChoose, onClose }: DialogProps) {
  const { t } = useText();
  const { value, change } = preference;
  const [name, setName] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const current = nameOfView(value, search);
  const attempt = async (next: (value: SavedViews) => SavedViews) => {
    setBusy(true);
    setError(null);
    try {
      await change(next);
      setName("");
    } catch (problem) {
      setError(problem);
    }
    setBusy(false);
  };
  const typed = name.trim();
  const replaces = value.views.some((view) => view.name === typed);
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (typed !== "") void attempt((all) => withView(all, typed, search));
  };
  return (
    <Modal opened onClose={onClose} title={t("preferences.views.title")} closeButtonProps={{ "aria-label": t("web.close") }}>
      {error !== null && <ProblemNote error={error} />}
      {value.views.length === 0 && <p className={classes["quiet"]}>{t("preferences.views.none")}</p>}
      <ul className={classes["views"]}>
        {value.views.map((view) => (
          <ViewRow
            key={view.name}
            name={view.name}
            current={view.name === current}
            opens={view.name === value.opens}
            taken={value.views.map((one) => one.name)}
            busy={busy}
            onChoose={() => onChoose(view.search)}
            onOpens={(opens) => void attempt((all) => openingWith(all, opens ? view.name : null))}
            onRename={(to) => void attempt((all) => withName(all, view.name, to))}
            onDelete={() => void attempt((all) => withoutView(all, view.name))}
          />
        ))}
      </ul>
      {isFiltered(search) ? (
        <form className={classes["save"]} onSubmit={save}>
          <TextInput
            label={t("preferences.views.name")}
            maxLength={LONGEST}
            autoComplete="off"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" disabled={typed === ""} loading={busy}>
            {t(replaces ? "preferences.views.replace" : "preferences.views.save")}
          </Button>
        </form>
      ) : (
        <p className={classes["quiet"]}>{t("preferences.views.noFilters")}</p>
      )}
    </Modal>
  );
}

interface RowProps {
  readonly name: string;
  readonly current: boolean;
  readonly opens: boolean;
  /** Names of all views. */
  readonly taken: readonly string[];
  readonly busy: boolean;
  onChoose(): void;
  onOpens(opens: boolean): void;
  onRename(to: string): void;
  onDelete(): void;
}

function ViewRow(props: RowProps) {
  const { t } = useText();
  const { name, opens, busy } = props;
  const [text, setText] = useState<string | null>(null);
  if (text !== null) {
    const to = text.trim();
    const isTaken = to !== name && props.taken.includes(to);
    const rename = (event: FormEvent) => {
      event.preventDefault();
      if (to === "" || isTaken) return;
      setText(null);
      if (to !== name) props.onRename(to);
    };
    return (
      <li>
        <form className={classes["rename"]} onSubmit={rename}>
          <TextInput
            aria-label={t("preferences.views.newName", { name })}
            error={isTaken ? t("preferences.views.taken") : null}
            maxLength={LONGEST}
            autoComplete="off"
            autoFocus
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <ActionIcon type="submit" aria-label={t("preferences.views.rename", { name })} disabled={to === "" || isTaken}>
            <IconCheck size={16} />
          </ActionIcon>
        </form>
      </li>
    );
  }
  return (
    <li>
      <Button
        className={classes["choose"] ?? ""}
        variant="subtle"
        color="gray"
        justify="flex-start"
        aria-current={props.current}
        onClick={props.onChoose}
      >
        {name}
      </Button>
      <ActionIcon
        aria-label={t("preferences.views.opens", { name })}
        aria-pressed={opens}
        disabled={busy}
        onClick={() => props.onOpens(!opens)}
      >
        {opens ? <IconStarFilled size={16} /> : <IconStar size={16} />}
      </ActionIcon>
      <ActionIcon aria-label={t("preferences.views.rename", { name })} disabled={busy} onClick={() => setText(name)}>
        <IconPencil size={16} />
      </ActionIcon>
      <ActionIcon aria-label={t("preferences.views.delete", { name })} disabled={busy} onClick={props.onDelete}>
        <IconTrash size={16} />
      </ActionIcon>
    </li>
  );
}
