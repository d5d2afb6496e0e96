import { useState } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { Select } from "@mantine/core";
import type { OutputOf } from "@rollcall/server/contract/core";
import { citizensPermissions } from "@rollcall/server/contract/citizens";
import { listMoves, requestMove } from "@rollcall/server/contract/colleagues";
import contract from "virtual:form/colleagues/requestMove";
import { useAbilities } from "#core/abilities.ts";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { showToast } from "#core/toasts.ts";
import { CitizenSelect } from "#features/citizens/citizens.api.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Form, FormButtons } from "#ui/form.tsx";
import { OwnField, TextField } from "#ui/formFields.tsx";
import { RightHint } from "#ui/states.tsx";
import { MoveList } from "./moveList.tsx";
import classes from "./colleagues.module.css";

export interface HireDialogProps {
  readonly moves: OutputOf<typeof listMoves>;
  onClose(): void;
}

interface Values extends Record<string, unknown> {
  readonly citizenId: number | null;
  readonly grade: number | null;
  readonly reason: string;
}

const refusals = {
  "colleagues.citizenUnknown": "citizenId",
  "colleagues.moveOpen": "citizenId",
  "colleagues.worksAlready": "citizenId",
  "colleagues.gradeTooHigh": "grade",
  "colleagues.gradeUnknown": "grade",
} as const;

/** Asks the game to hire a citizen; below stands what became of earlier requests. */
export default function HireDialog({ moves, onClose }: HireDialogProps) {
  const { t } = useText();
  const queries = useQueryClient();
  const finds = useAbilities().has(citizensPermissions.list);
  const { connected, grades, items } = moves;
  const [stored] = useState(() => ({ version: 0, values: { citizenId: null, grade: grades[0]?.grade ?? null, reason: "" } }));
  const [person, setPerson] = useState<{ readonly id: number; readonly name: string } | null>(null);
  const form = useContractForm<Values>({
    contract,
    fields: {
      citizenId: { label: t("colleagues.hire.person") },
      grade: { label: t("colleagues.columns.grade") },
      reason: { label: t("colleagues.reason") },
    },
    stored,
    draft: "colleagues.hire",
    refusals,
    async save({ citizenId, grade, reason }) {
      const body = { citizenId: citizenId ?? 0, expectedGrade: null, grade, reason };
      const { name } = await api.call(requestMove, { body });
      showToast({ tone: "success", title: t("colleagues.hire.sent", { name: name ?? `CIT-${citizenId}` }) });
    },
    saved() {
      void queries.invalidateQueries({ queryKey: [listMoves.id] });
      onClose();
    },
  });
  const leave = () => form.model.leave(onClose);
  // A draft knows the person by the ID alone.
  const chosen = (id: number | null) =>
    id === null ? null : person?.id === id ? person : { id, name: t("colleagues.hire.person") };
  const hired = items.filter(({ kind }) => kind === "hire");
  return (
    <Dialog title={t("colleagues.hire.title")} onClose={leave}>
      <Form form={form} className={classes["form"]}>
        <p className={classes["quiet"]}>{t(connected ? "colleagues.hire.lead" : "colleagues.moves.offline")}</p>
        <OwnField<number | null> at="citizenId">
          {({ value, set, error }) =>
            finds ? (
              <>
                <CitizenSelect
                  label={t("colleagues.hire.person")}
                  value={chosen(value)}
                  onChange={(next) => {
                    setPerson(next);
                    set(next?.id ?? null);
                  }}
                />
                {error}
              </>
            ) : (
              <RightHint permission={citizensPermissions.list.id} />
            )
          }
        </OwnField>
        <OwnField<number | null> at="grade">
          {({ value, set, error }) => (
            <Select
              label={t("colleagues.columns.grade")}
              data={grades.map(({ grade, label }) => ({ value: String(grade), label }))}
              value={value === null ? null : String(value)}
              onChange={(next) => next !== null && set(Number(next))}
              allowDeselect={false}
              error={error}
            />
          )}
        </OwnField>
        <TextField at="reason" />
        <FormButtons submit={t("colleagues.moves.send")} cancel={{ text: t("web.cancel"), run: leave }} />
      </Form>
      {hired.length > 0 && (
        <section>
          <h3>{t("colleagues.hire.earlier")}</h3>
          <MoveList items={hired} grades={grades} named />
        </section>
      )}
    </Dialog>
  );
}
