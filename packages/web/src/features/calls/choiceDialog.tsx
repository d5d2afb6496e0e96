import { type ReactNode, useState } from "react";
import { Button } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { useText } from "#core/i18n.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import classes from "./calls.module.css";

interface ChoiceDialogProps {
  readonly title: string;
  /** What is offered comes from it. */
  readonly query: UseQueryResult<unknown>;
  /** Where there is nothing to choose; null where there is. */
  readonly nothing: string | null;
  readonly submit: string;
  readonly isChosen: boolean;
  /** True once it is done, which closes the dialog. */
  send(): Promise<boolean>;
  onClose(): void;
  readonly children: ReactNode;
}

/** A dialog in which one thing is chosen and sent. */
export function ChoiceDialog({ title, query, nothing, submit, isChosen, send, onClose, children }: ChoiceDialogProps) {
  const { t } = useText();
  const [sending, setSending] = useState(false);
  const run = async () => {
    if (!isChosen || sending) return;
    setSending(true);
    const done = await send();
    setSending(false);
    if (done) onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isPending && <Bars widths={["70%", "40%"]} />}
      {query.isSuccess && nothing !== null && <p>{nothing}</p>}
      {query.isSuccess && nothing === null && (
        <form
          className={classes["form"]}
          onSubmit={(event) => {
            event.preventDefault();
            void run();
          }}
        >
          {children}
          <div className={classes["actions"]}>
            <Button type="submit" disabled={!isChosen} loading={sending}>
              {submit}
            </Button>
            <Button variant="subtle" onClick={onClose}>
              {t("web.cancel")}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
