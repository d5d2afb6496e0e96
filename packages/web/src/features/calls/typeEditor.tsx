import { lazy, Suspense, useMemo } from "react";
import { ColorInput, MultiSelect, Textarea } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { createType, type IncidentType, listTypes, putType, type TypeContent } from "@rollcall/server/contract/calls";
import contract from "virtual:form/calls/createType";
import { useWorkedJob } from "#core/abilities.ts";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { loadIconPicker } from "#features/icons/icons.api.ts";
import { jobColour } from "#ui/accent.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Form, FormBar } from "#ui/form.tsx";
import { AreaField, OwnField, TextField } from "#ui/formFields.tsx";
import { Bars } from "#ui/states.tsx";
import { useCallable } from "./calls.queries.ts";
import { PriorityField } from "./fields.tsx";
import classes from "./calls.module.css";

const IconPicker = lazy(loadIconPicker);

export interface TypeEditorProps {
  /** Null for a new one. */
  readonly type: IncidentType | null;
  onClose(): void;
}

type Values = TypeContent & Record<string, unknown>;

function valuesOf(type: IncidentType): Values {
  const { code, name, priority, colour, icon, message, jobs, checklist, questions } = type;
  return { code, name, priority, colour, icon, message: message ?? "", jobs, checklist, questions };
}

const fresh = { code: "", name: "", priority: 3, icon: null, message: "", jobs: [], checklist: [], questions: [] };

/** Creates or changes an incident type of the own job. */
export default function TypeEditor({ type, onClose }: TypeEditorProps) {
  const { t } = useText();
  const queries = useQueryClient();
  const id = type?.id ?? null;
  const job = useWorkedJob();
  const stored = useMemo(() => {
    return { version: type?.version ?? 0, values: type === null ? { ...fresh, colour: jobColour(job) } : valuesOf(type) };
  }, [type, job]);
  const form = useContractForm<Values>({
    contract,
    fields: Object.fromEntries(
      ["code", "name", "priority", "colour", "icon", "message", "jobs", "checklist", "questions"].map((field) => [
        field,
        { label: t(`calls.type.${field}`) },
      ]),
    ),
    stored,
    refusals: { "calls.codeTaken": "code", "calls.notCallable": "jobs" },
    async save(values, version) {
      const body = { ...values, message: values.message || null };
      if (id === null) await api.call(createType, { body });
      else await api.call(putType, { params: { id }, body: { ...body, version } });
    },
    async read() {
      const now = (await api.call(listTypes)).items.find((one) => one.id === id);
      return now === undefined ? stored : { version: now.version, values: valuesOf(now) };
    },
    saved() {
      void queries.invalidateQueries({ queryKey: [listTypes.id] });
      onClose();
    },
  });
  return (
    <Dialog title={t(id === null ? "calls.setup.new" : "calls.setup.edit")} onClose={() => form.model.leave(onClose)}>
      <Form form={form} className={classes["form"]}>
        <div className={classes["two"]}>
          <TextField at="code" autoFocus />
          <TextField at="name" />
          <PriorityField />
        </div>
        <AreaField at="message" rows={2} description={t("calls.type.messageHint")} />
        <JobsField />
        <LinesField at="checklist" />
        <LinesField at="questions" />
        <OwnField<string> at="colour">
          {({ value, set, error }) => (
            <ColorInput
              label={t("calls.type.colour")}
              format="hex"
              error={error}
              value={value}
              onChange={(colour) => /^#[0-9a-f]{6}$/i.test(colour) && set(colour.toLowerCase())}
              eyeDropperButtonProps={{ "aria-label": t("calls.type.pickColour") }}
            />
          )}
        </OwnField>
        <Suspense fallback={<Bars widths={["40%"]} />}>
          <OwnField<string | null> at="icon">
            {({ value, set }) => <IconPicker label={t("calls.type.icon")} value={value} onChange={set} />}
          </OwnField>
        </Suspense>
        <FormBar save={t("web.form.save")} onClose={onClose} />
      </Form>
    </Dialog>
  );
}

/** Jobs that get such calls: the own one and those that everybody may call. */
function JobsField() {
  const { t } = useText();
  const callable = useCallable().data?.items ?? [];
  return (
    <OwnField<string[]> at="jobs">
      {({ value, set, error }) => (
        <MultiSelect
          label={t("calls.type.jobs")}
          description={t("calls.type.jobsHint")}
          data={[
            ...callable.map(({ job, label }) => ({ value: job, label })),
            ...value.filter((job) => !callable.some((one) => one.job === job)),
          ]}
          value={value}
          onChange={set}
          error={error}
        />
      )}
    </OwnField>
  );
}

/** Each line of the text is one. */
function LinesField({ at }: { readonly at: "checklist" | "questions" }) {
  const { t } = useText();
  return (
    <OwnField<readonly string[]> at={at}>
      {({ value, set, error }) => (
        <Textarea
          label={t(`calls.type.${at}`)}
          description={t("calls.type.linesHint")}
          rows={3}
          defaultValue={value.join("\n")}
          onChange={({ currentTarget }) => set(currentTarget.value.split("\n").filter((line) => line.trim() !== ""))}
          error={error}
        />
      )}
    </OwnField>
  );
}
