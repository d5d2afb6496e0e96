import { useState, type FormEvent, type KeyboardEvent } from "react";
import { ActionIcon, Button, TextInput } from "@mantine/core";
import { IconCheck, IconPencil, IconStar, IconStarFilled, IconTrash, IconX } from "@tabler/icons-react";
import type { SavedViews } from "@rollcall/server/contract/core";
import type { UsedPreference } from "#core/accountPreferences.ts";
import { useSending } from "#core/forms/sending.ts";
import { useText } from "#core/i18n.ts";
import { ActionList, useAnnouncement } from "#ui/actionList.tsx";
import { offerUndo } from "#ui/confirm.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { FormProblem, SubmitButton } from "#ui/formParts.tsx";
import { openingWith, withName, withoutView, withRestored, withView, type ListSearch } from "./views.ts";
import classes from "./preferences.module.css";

const LONGEST = 60;

interface DialogProps {
  readonly preference: UsedPreference<SavedViews>;
  /** The filters, the order and the hidden columns that are shown now. */
  readonly search: ListSearch;
  /** Name of the view that is shown. */
  readonly current: string | null;
  onChoose(search: ListSearch): void;
  onClose(): void;
}

/** Choose, save, rename and delete views, and say with which one the list opens. */
export default function SavedViewsDialog({ preference, search, current, onChoose, onClose }: DialogProps) {
  const { t } = useText();
  const { value, change } = preference;
  const [name, setName] = useState("");
  const { busy, problem, send } = useSending();
  const { announcement, announce } = useAnnouncement();
  const attempt = async (next: (value: SavedViews) => SavedViews, done: string) => {
    if (!(await send(async () => await change(next)))) return;
    setName("");
    announce(done);
  };
  const remove = async (gone: string) => {
    const before = value;
    const done = t("preferences.views.deleted", { name: gone });
    if (!(await send(async () => await change((all) => withoutView(all, gone))))) return;
    announce(done);
    offerUndo(t, { title: done, undo: async () => await change((all) => withRestored(all, before, gone)) });
  };
  const typed = name.trim();
  const replaces = value.views.some((view) => view.name === typed);
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (typed !== "") void attempt((all) => withView(all, typed, search), t("preferences.views.saved", { name: typed }));
  };
  return (
    <Dialog onClose={onClose} title={t("preferences.views.title")}>
      <FormProblem problem={problem} />
      <ActionList label={t("preferences.views.title")} announcement={announcement}>
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
              onOpens={(opens) =>
                void attempt(
                  (all) => openingWith(all, opens ? view.name : null),
                  t(opens ? "preferences.views.opensNow" : "preferences.views.opensNoMore", { name: view.name }),
                )
              }
              onRename={(to) => void attempt((all) => withName(all, view.name, to), t("preferences.views.renamed", { name: to }))}
              onDelete={() => void remove(view.name)}
            />
          ))}
        </ul>
      </ActionList>
      {Object.keys(search).length > 0 ? (
        <form className={classes["save"]} onSubmit={save}>
          <TextInput
            label={t("preferences.views.name")}
            maxLength={LONGEST}
            autoComplete="off"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <SubmitButton busy={busy} disabled={typed === ""}>
            {t(replaces ? "preferences.views.replace" : "preferences.views.save")}
          </SubmitButton>
        </form>
      ) : (
        <p className={classes["quiet"]}>{t("preferences.views.noFilters")}</p>
      )}
    </Dialog>
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
  const [renaming, setRenaming] = useState(false);
  // Where the focus returns to when the name is kept.
  const [kept, setKept] = useState(false);
  if (renaming) {
    const close = (keeps: boolean) => {
      setKept(keeps);
      setRenaming(false);
    };
    const rename = (to: string) => {
      close(to === name);
      if (to !== name) props.onRename(to);
    };
    return (
      <li>
        <RenameForm name={name} taken={props.taken} onRename={rename} onCancel={() => close(true)} />
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
      <ActionIcon
        aria-label={t("preferences.views.rename", { name })}
        autoFocus={kept}
        disabled={busy}
        onClick={() => setRenaming(true)}
      >
        <IconPencil size={16} />
      </ActionIcon>
      <ActionIcon aria-label={t("preferences.views.delete", { name })} disabled={busy} onClick={props.onDelete}>
        <IconTrash size={16} />
      </ActionIcon>
    </li>
  );
}

interface RenameProps {
  readonly name: string;
  readonly taken: readonly string[];
  onRename(to: string): void;
  onCancel(): void;
}

function RenameForm({ name, taken, onRename, onCancel }: RenameProps) {
  const { t } = useText();
  const [text, setText] = useState(name);
  const to = text.trim();
  const isTaken = to !== name && taken.includes(to);
  // The dialog itself closes by Escape unless the key is pressed in an element with this attribute.
  const escape = {
    "data-mantine-stop-propagation": "true",
    onKeyDown: ({ key }: KeyboardEvent) => {
      if (key === "Escape") onCancel();
    },
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (to !== "" && !isTaken) onRename(to);
  };
  return (
    <form className={classes["rename"]} onSubmit={submit}>
      <TextInput
        {...escape}
        aria-label={t("preferences.views.newName", { name })}
        error={isTaken ? t("preferences.views.taken") : null}
        maxLength={LONGEST}
        autoComplete="off"
        autoFocus
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <ActionIcon {...escape} type="submit" aria-label={t("preferences.views.rename", { name })} disabled={to === "" || isTaken}>
        <IconCheck size={16} />
      </ActionIcon>
      <ActionIcon {...escape} aria-label={t("preferences.views.keepName", { name })} onClick={onCancel}>
        <IconX size={16} />
      </ActionIcon>
    </form>
  );
}
