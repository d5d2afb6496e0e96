import { useState } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { Select } from "@mantine/core";
import { listMoves, requestMove } from "@rollcall/server/contract/colleagues";
import contract from "virtual:form/colleagues/requestMove";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Form, FormButtons } from "#ui/form.tsx";
import { OwnField, TextField } from "#ui/formFields.tsx";
import type { Colleague } from "./colleagues.queries.ts";
import { fullName } from "./names.ts";
import classes from "./colleagues.module.css";

export interface MoveDialogProps {
  readonly colleague: Colleague;
  /** That the viewer may give. */
  readonly grades: readonly { readonly grade: number; readonly label: string }[];
  readonly doing: "grade" | "dismiss";
  onClose(): void;
}

interface Values extends Record<string, unknown> {
  readonly grade: number | null;
  readonly reason: string;
}

const refusals = { "colleagues.gradeTooHigh": "grade", "colleagues.gradeUnknown": "grade" } as const;

/** Asks the game for another grade, or to dismiss. It names the grade that the page shows; by another one the game refuses it. */
export default function MoveDialog({ colleague, grades, doing, onClose }: MoveDialogProps) {
  const { t } = useText();
  const queries = useQueryClient();
  const { id, job } = colleague;
  const offered = grades.filter(({ grade }) => grade !== job.grade);
  // What the page showed when the dialog was opened is what the request expects.
  const [opened] = useState(() => {
    const next = offered.find((one) => one.grade > job.grade) ?? offered.at(-1);
    return {
      expected: job,
      stored: { version: colleague.version, values: { grade: doing === "dismiss" ? null : (next?.grade ?? null), reason: "" } },
    };
  });
  const form = useContractForm<Values>({
    contract,
    fields: { grade: { label: t("colleagues.columns.grade") }, reason: { label: t("colleagues.reason") } },
    stored: opened.stored,
    // To dismiss is a single reason, of which no draft is kept.
    ...(doing === "grade" ? { draft: `colleagues.grade.${id}` } : {}),
    refusals,
    save: async ({ grade, reason }) =>
      await api.call(requestMove, { body: { citizenId: id, expectedGrade: opened.expected.grade, grade, reason } }),
    saved() {
      void queries.invalidateQueries({ queryKey: [listMoves.id] });
      onClose();
    },
  });
  const name = fullName(colleague);
  const title = t(doing === "dismiss" ? "colleagues.moves.dismissTitle" : "colleagues.moves.gradeTitle", { name });
  const leave = () => form.model.leave(onClose);
  return (
    <Dialog title={title} onClose={leave}>
      <Form form={form} className={classes["form"]}>
        <p className={classes["quiet"]}>{t("colleagues.moves.expected", { grade: opened.expected.gradeLabel })}</p>
        {doing === "grade" && (
          <OwnField<number | null> at="grade">
            {({ value, set, error }) => (
              <Select
                label={t("colleagues.columns.grade")}
                data={offered.map(({ grade, label }) => ({ value: String(grade), label }))}
                value={value === null ? null : String(value)}
                onChange={(next) => next !== null && set(Number(next))}
                allowDeselect={false}
                error={error}
              />
            )}
          </OwnField>
        )}
        <TextField at="reason" />
        <FormButtons
          submit={t(doing === "dismiss" ? "colleagues.moves.dismiss" : "colleagues.moves.send")}
          cancel={{ text: t("web.cancel"), run: leave }}
        />
      </Form>
    </Dialog>
  );
}
