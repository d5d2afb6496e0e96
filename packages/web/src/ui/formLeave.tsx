import type { KeyboardEvent } from "react";
import { useBlocker, useRouter } from "@tanstack/react-router";
import { Button, Modal } from "@mantine/core";
import { useText } from "#core/i18n.ts";
import { useReturnedFocus } from "./dialog.tsx";
import { apart, unsavedNames, useFormAround, useFormState } from "./formContext.ts";
import classes from "./form.module.css";

type Answer = "stay" | "keep" | "drop";

/** Asks what becomes of unsaved text before the page, or the dialog with the form, is left. */
export function FormLeave({ inSearch }: { inSearch: boolean }) {
  // Before a character is chosen, pages change without a router.
  const router = useRouter({ warn: false }) as unknown;
  const { model } = useFormAround();
  const { leaving } = useFormState();
  return (
    <>
      {router !== undefined && router !== null && <PageGuard inSearch={inSearch} />}
      {leaving && <Question onAnswer={(answer) => model.answerLeaving(answer)} />}
    </>
  );
}

function PageGuard({ inSearch }: { inSearch: boolean }) {
  const { model } = useFormAround();
  const unsaved = () => model.holds();
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      unsaved() &&
      (current.pathname !== next.pathname || (inSearch && JSON.stringify(current.search) !== JSON.stringify(next.search))),
    enableBeforeUnload: unsaved,
    withResolver: true,
  });
  if (blocker.status !== "blocked") return null;
  const answer = (given: Answer) => {
    if (given === "stay") {
      blocker.reset();
      return;
    }
    model.letGo(given === "keep");
    blocker.proceed();
  };
  return <Question onAnswer={answer} />;
}

function Question({ onAnswer }: { onAnswer: (answer: Answer) => void }) {
  const { t } = useText();
  const form = useFormAround();
  const state = useFormState();
  useReturnedFocus();
  const escape = ({ key }: KeyboardEvent) => key === "Escape" && onAnswer("stay");
  return (
    <Modal
      opened
      onClose={() => onAnswer("stay")}
      closeOnEscape={false}
      onKeyDown={escape}
      title={t("web.form.leave.title")}
      closeButtonProps={{ "aria-label": t("web.close"), ...apart }}
    >
      <p>{t("web.form.leave.text", { fields: unsavedNames(t, form, state) })}</p>
      <div className={classes["buttons"]}>
        <Button variant="default" onClick={() => onAnswer("stay")} {...apart}>
          {t("web.form.leave.stay")}
        </Button>
        <Button variant="default" onClick={() => onAnswer("drop")} {...apart}>
          {t("web.form.leave.discard")}
        </Button>
        <Button data-autofocus onClick={() => onAnswer("keep")} {...apart}>
          {t("web.form.leave.keep")}
        </Button>
      </div>
    </Modal>
  );
}
