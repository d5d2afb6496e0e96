import { useRef, useState } from "react";
import { Select, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useQueryClient } from "@tanstack/react-query";
import { IconPhoneOff } from "@tabler/icons-react";
import {
  callsPermissions,
  createCall,
  type listCallable,
  listCalls,
  listOwnCalls,
  listPresent,
} from "@rollcall/server/contract/calls";
import type { OutputOf } from "@rollcall/server/contract/core";
import contract from "virtual:form/calls/createCall";
import { useAbilities } from "#core/abilities.ts";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { showToast } from "#core/toasts.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Form, FormButtons } from "#ui/form.tsx";
import { useFormValue } from "#ui/formContext.ts";
import { AreaField, OwnField, SwitchField, TextField } from "#ui/formFields.tsx";
import { Bars, EmptyState, ProblemNote } from "#ui/states.tsx";
import { useCallable } from "./calls.queries.ts";
import { NumberChoice, PriorityField } from "./fields.tsx";
import { refOf } from "./ref.ts";
import classes from "./calls.module.css";

export interface NewDialogProps {
  onClose(): void;
}

type Callable = OutputOf<typeof listCallable>["items"];

/** Calls a job. */
export default function NewDialog({ onClose }: NewDialogProps) {
  const { t } = useText();
  const query = useCallable();
  const close = useRef<() => void>(onClose);
  const items = query.data?.items ?? [];
  return (
    <Dialog title={t("calls.new.title")} onClose={() => close.current()}>
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isPending && <Bars widths={["70%", "100%", "60%"]} />}
      {query.data && items.length === 0 && (
        <EmptyState icon={IconPhoneOff} title={t("calls.new.nobody")} text={t("calls.new.nobodyText")} />
      )}
      {items.length > 0 && <NewForm callable={items} onClose={onClose} askFirst={(leave) => (close.current = leave)} />}
    </Dialog>
  );
}

interface Answer {
  readonly question: string;
  readonly answer: string;
}

interface Values extends Record<string, unknown> {
  readonly jobs: readonly string[];
  readonly typeId: number | null;
  readonly message: string | null;
  readonly priority: number | null;
  readonly postal: string | null;
  readonly phone: string | null;
  readonly anonymous: boolean;
  readonly answers: readonly Answer[];
}

interface FormProps extends NewDialogProps {
  readonly callable: Callable;
  /** Gets what to do when the dialog is closed. */
  askFirst(leave: () => void): void;
}

const empty = { typeId: null, message: "", priority: null, postal: "", phone: "", anonymous: false, answers: [] };

function NewForm({ callable, onClose, askFirst }: FormProps) {
  const { t } = useText();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const opens = useAbilities().has(callsPermissions.view);
  const [stored] = useState(() => ({ version: 0, values: { ...empty, jobs: [callable[0]!.job] } satisfies Values }));
  const created = useRef<number | null>(null);
  const form = useContractForm<Values>({
    contract,
    fields: {
      jobs: { label: t("calls.new.job") },
      typeId: { label: t("calls.columns.type") },
      message: { label: t("calls.columns.message") },
      priority: { label: t("calls.columns.priority") },
      postal: { label: t("calls.columns.postal") },
      phone: { label: t("calls.new.phone") },
      anonymous: { label: t("calls.new.anonymous") },
      answers: { label: t("calls.new.answers") },
    },
    stored,
    draft: "call.new",
    refusals: {
      "calls.messageNeeded": "message",
      "calls.postalUnknown": "postal",
      "calls.typeNotFound": "typeId",
      "calls.notCallable": "jobs",
    },
    async save({ jobs, answers, ...values }) {
      const types = callable.find(({ job }) => job === jobs[0])?.types ?? [];
      const type = types.find(({ id }) => id === values.typeId);
      const body = {
        ...values,
        typeId: type?.id ?? null,
        // A type says who gets its calls.
        jobs: type === undefined ? [...jobs] : [],
        message: values.message || null,
        postal: values.postal || null,
        phone: values.phone || null,
        answers: answers.filter(({ question, answer }) => answer.trim() !== "" && type?.questions.includes(question)),
      };
      const { id, folded } = await api.call(createCall, { body });
      created.current = id;
      showToast({ tone: "success", title: t(folded ? "calls.new.folded" : "calls.new.sent", { ref: refOf(id) }) });
    },
    saved() {
      for (const one of [listCalls, listPresent, listOwnCalls]) void queries.invalidateQueries({ queryKey: [one.id] });
      onClose();
      if (opens && created.current !== null) void navigate({ to: "/calls/$id", params: { id: String(created.current) } });
    },
  });
  const leave = () => form.model.leave(onClose);
  askFirst(leave);
  return (
    <Form form={form} className={classes["form"]}>
      <OwnField<readonly string[]> at="jobs">
        {({ value, set, error }) => (
          <Select
            label={t("calls.new.job")}
            data={callable.map(({ job, label }) => ({ value: job, label }))}
            value={value[0] ?? null}
            onChange={(job) => set(job === null ? [] : [job])}
            allowDeselect={false}
            error={error}
          />
        )}
      </OwnField>
      <TypeFields callable={callable} />
      <div className={classes["two"]}>
        <PriorityField none={t("calls.new.byType")} />
        <TextField at="postal" />
        <TextField at="phone" />
      </div>
      <SwitchField at="anonymous" description={t("calls.new.anonymousHint")} />
      <FormButtons submit={t("calls.new.send")} cancel={{ text: t("web.cancel"), run: leave }} />
    </Form>
  );
}

/** The types of the chosen job, and what the chosen one asks. */
function TypeFields({ callable }: { readonly callable: Callable }) {
  const { t } = useText();
  const [job] = useFormValue<readonly string[]>("jobs");
  const typeId = useFormValue<number | null>("typeId");
  const types = callable.find((one) => one.job === job)?.types ?? [];
  const type = types.find(({ id }) => id === typeId);
  const data = types.map(({ id, code, name }) => ({ value: String(id), label: `${code} ${name}` }));
  return (
    <>
      {data.length > 0 && <NumberChoice at="typeId" label={t("calls.columns.type")} none={t("calls.noType")} data={data} />}
      <AreaField at="message" rows={3} description={type?.message ? t("calls.new.usual", { text: type.message }) : ""} />
      {type !== undefined && type.questions.length > 0 && (
        <OwnField<readonly Answer[]> at="answers">
          {({ value, set }) => (
            <div className={classes["form"]}>
              {type.questions.map((question) => (
                <TextInput
                  key={question}
                  label={question}
                  value={value.find((one) => one.question === question)?.answer ?? ""}
                  maxLength={120}
                  onChange={({ currentTarget: { value: answer } }) =>
                    set([...value.filter((one) => one.question !== question), ...(answer === "" ? [] : [{ question, answer }])])
                  }
                />
              ))}
            </div>
          )}
        </OwnField>
      )}
    </>
  );
}
