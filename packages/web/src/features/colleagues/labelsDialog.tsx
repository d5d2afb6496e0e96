import { useState } from "react";
import { MultiSelect } from "@mantine/core";
import type { ColleagueLabel, LabelChange } from "@rollcall/server/contract/colleagues";
import contract from "virtual:form/colleagues/changeLabels";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { DayInput } from "#ui/dayInput.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { Form, FormButtons } from "#ui/form.tsx";
import { TextField } from "#ui/formFields.tsx";
import { sendChanges } from "./changes.ts";
import { type ColleagueRow, useLabels } from "./colleagues.queries.ts";
import { fullName } from "./names.ts";
import { requireSome, type Sent } from "./parts.ts";
import classes from "./colleagues.module.css";

export interface LabelsDialogProps {
  readonly people: readonly ColleagueRow[];
  /** Something was changed, or nothing had to be. */
  onDone(sent: Sent): void;
  onClose(): void;
}

interface Values extends Record<string, unknown> {
  readonly reason: string;
}

const EMPTY = { version: 0, values: { reason: "" } };

/** Gives labels to colleagues and takes them, for a reason. */
export default function LabelsDialog({ people, onDone, onClose }: LabelsDialogProps) {
  const { t } = useText();
  const labels = (useLabels().data?.items ?? []).filter(({ deleted }) => !deleted);
  const [given, setGiven] = useState<string[]>([]);
  const [taken, setTaken] = useState<string[]>([]);
  const [until, setUntil] = useState("");
  const form = useContractForm<Values>({
    contract,
    fields: { reason: { label: t("colleagues.reason") } },
    stored: EMPTY,
    async save({ reason }) {
      const end = until === "" ? null : until;
      const changes = people.flatMap(({ id }) => [
        ...given.map((label): LabelChange => ({ id, label: Number(label), given: true, until: end })),
        ...taken.map((label): LabelChange => ({ id, label: Number(label), given: false })),
      ]);
      onDone(requireSome(await sendChanges(changes, reason), changes));
    },
  });
  const [only] = people;
  const title =
    people.length === 1 && only !== undefined
      ? t("colleagues.give.titleOf", { name: fullName(only) })
      : t("colleagues.give.title", { count: people.length });
  return (
    <Dialog title={title} onClose={onClose}>
      <Form form={form} className={classes["form"]}>
        <Choice label={t("colleagues.give.given")} labels={labels} without={taken} value={given} onChange={setGiven} />
        <DayInput label={t("colleagues.give.until")} value={until} onChange={setUntil} />
        <Choice label={t("colleagues.give.taken")} labels={labels} without={given} value={taken} onChange={setTaken} />
        <TextField at="reason" />
        {given.length + taken.length === 0 && <p className={classes["quiet"]}>{t("colleagues.give.nothing")}</p>}
        <FormButtons submit={t("web.form.save")} cancel={{ text: t("web.cancel"), run: onClose }} />
      </Form>
    </Dialog>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly labels: readonly ColleagueLabel[];
  /** Ids that the other field has. */
  readonly without: readonly string[];
  readonly value: string[];
  onChange(value: string[]): void;
}

function Choice({ label, labels, without, value, onChange }: ChoiceProps) {
  const { t } = useText();
  const data = labels.map(({ id, name }) => ({ value: String(id), label: name })).filter((one) => !without.includes(one.value));
  return (
    <MultiSelect
      label={label}
      data={data}
      value={value}
      onChange={onChange}
      searchable
      // A dialog may begin with it, whose other fields the list would cover.
      openOnFocus={false}
      clearable
      nothingFoundMessage={t("colleagues.labels.none")}
      clearButtonProps={{ "aria-label": t("web.filter.clearText") }}
    />
  );
}
