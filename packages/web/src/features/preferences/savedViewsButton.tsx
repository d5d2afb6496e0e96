import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from "react";
import { Button } from "@mantine/core";
import { IconBookmark } from "@tabler/icons-react";
import type { defineSavedViews } from "@rollcall/server/contract/core";
import { usePreference } from "#core/accountPreferences.ts";
import { useText } from "#core/i18n.ts";
import { viewOf } from "#core/search.ts";
import { nameOfView, type ListSearch } from "./views.ts";
import classes from "./savedViewsButton.module.css";

const SavedViewsDialog = lazy(() => import("./savedViewsDialog.tsx"));

export interface SavedViewsButtonProps {
  readonly definition: ReturnType<typeof defineSavedViews>;
  /** The address of the list. */
  readonly search: ListSearch;
  /** The address as it is saved. */
  readonly saved: ListSearch;
  /** Whether the list may open with the person's view: not when a record or filters were asked for. */
  readonly mayOpen: boolean;
  /** `replace`: without a way back to the list before. */
  onChoose(search: ListSearch, replace: boolean): void;
}

/** The list as everybody finds it: no filters, no order and no columns were asked for. */
const isPlain = (search: ListSearch) => Object.keys(viewOf(search)).length === 0;

/** The saved views of a list: names the one that is shown, and opens the dialog in which they are chosen and changed. */
export function SavedViewsButton({ definition, search, saved, mayOpen, onChoose }: SavedViewsButtonProps) {
  const { t } = useText();
  const preference = usePreference(definition);
  const { value, known } = preference;
  const [opened, setOpened] = useState(false);
  const untouched = useRef(mayOpen && isPlain(search));
  const choose = useEffectEvent(onChoose);
  const current = nameOfView(value, search);

  useEffect(() => {
    if (!isPlain(search)) untouched.current = false;
    if (!untouched.current || !known) return;
    untouched.current = false;
    const first = value.views.find(({ name }) => name === value.opens);
    if (first) choose(first.search, true);
  }, [known, value, search]);

  return (
    <>
      <Button
        variant="default"
        className={classes["button"] ?? ""}
        leftSection={<IconBookmark size={16} aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => setOpened(true)}
      >
        <span className={classes["name"]}>{current ?? t("preferences.views.open")}</span>
      </Button>
      {opened && (
        <Suspense fallback={null}>
          <SavedViewsDialog
            preference={preference}
            search={viewOf(saved)}
            current={current}
            onChoose={(chosen) => {
              setOpened(false);
              onChoose(chosen, false);
            }}
            onClose={() => setOpened(false)}
          />
        </Suspense>
      )}
    </>
  );
}
