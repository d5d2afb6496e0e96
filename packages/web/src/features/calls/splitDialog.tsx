import { useState } from "react";
import { MultiSelect } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useQueryClient } from "@tanstack/react-query";
import { getCall, listCalls, listPresent, mostSplitNotes, mostSplitUnits, splitCall } from "@rollcall/server/contract/calls";
import contract from "virtual:form/calls/splitCall";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { showToast } from "#core/toasts.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Form, FormButtons } from "#ui/form.tsx";
import { AreaField, OwnField } from "#ui/formFields.tsx";
import type { CallDetail } from "./calls.queries.ts";
import { refOf } from "./ref.ts";
import classes from "./calls.module.css";

export interface SplitDialogProps {
  readonly call: CallDetail;
  onClose(): void;
}

interface Values extends Record<string, unknown> {
  readonly message: string;
  readonly unitIds: readonly number[];
  readonly noteIds: readonly number[];
}

const COPIED: ReadonlySet<string> = new Set(["note", "citizen", "vehicle"]);

/** Opens another call from a part of this one. */
export default function SplitDialog({ call, onClose }: SplitDialogProps) {
  const { t } = useText();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { id, version } = call;
  const [stored] = useState(() => ({ version: 0, values: { message: call.message, unitIds: [], noteIds: [] } satisfies Values }));
  const form = useContractForm<Values>({
    contract,
    fields: {
      message: { label: t("calls.split.message") },
      unitIds: { label: t("calls.split.units") },
      noteIds: { label: t("calls.split.notes") },
    },
    stored,
    refusals: { "calls.unitNotThere": "unitIds", "calls.noteNotFound": "noteIds" },
    async save({ message, unitIds, noteIds }) {
      const body = { version, message, unitIds: [...unitIds], noteIds: [...noteIds] };
      const { made } = await api.call(splitCall, { params: { id }, body });
      showToast({ tone: "success", title: t("calls.split.done", { ref: refOf(made) }) });
      onClose();
      void navigate({ to: "/calls/$id", params: { id: String(made) } });
    },
    saved() {
      for (const one of [getCall, listCalls, listPresent]) void queries.invalidateQueries({ queryKey: [one.id] });
    },
  });
  const notes = call.timeline
    .filter(({ kind }) => COPIED.has(kind))
    .map(({ id: note, text, citizen }) => ({ value: note, label: citizen?.name ?? text ?? "–" }));
  const units = call.units.map(({ unit }) => ({ value: unit.id, label: unit.name }));
  return (
    <Dialog title={t("calls.split.title", { ref: refOf(id) })} onClose={() => form.model.leave(onClose)}>
      <Form form={form} className={classes["form"]}>
        <AreaField at="message" rows={2} autoFocus />
        <Choice
          at="unitIds"
          label={t("calls.split.units")}
          hint={t("calls.split.unitsHint")}
          options={units}
          most={mostSplitUnits}
        />
        <Choice
          at="noteIds"
          label={t("calls.split.notes")}
          hint={t("calls.split.notesHint")}
          options={notes}
          most={mostSplitNotes}
        />
        <FormButtons submit={t("calls.do.split")} cancel={{ text: t("web.cancel"), run: () => form.model.leave(onClose) }} />
      </Form>
    </Dialog>
  );
}

interface ChoiceProps {
  readonly at: "unitIds" | "noteIds";
  readonly label: string;
  readonly hint: string;
  readonly options: readonly { readonly value: number; readonly label: string }[];
  readonly most: number;
}

/** Several of these; nothing where there is none. */
function Choice({ at, label, hint, options, most }: ChoiceProps) {
  if (options.length === 0) return null;
  return (
    <OwnField<readonly number[]> at={at}>
      {({ value, set, error }) => (
        <MultiSelect
          label={label}
          description={hint}
          data={options.map((one) => ({ value: String(one.value), label: one.label }))}
          value={value.map(String)}
          onChange={(next) => set(next.map(Number))}
          maxValues={most}
          searchable
          error={error}
        />
      )}
    </OwnField>
  );
}
