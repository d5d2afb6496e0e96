import { useRef } from "react";
import { useQuery } from "@tanstack/react-query";
import {
  type ByHandMode,
  byHandModes,
  type DutyRules,
  dutyRulesTopic,
  getDutyRules,
  putDutyRules,
} from "@rollcall/server/contract/duty";
import contract from "virtual:form/duty/putDutyRules";
import { useActiveIdentity } from "#core/abilities.ts";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { useFollow } from "#core/realtime/lists.ts";
import { api } from "#core/services.ts";
import { absoluteTime } from "#core/time.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Form, FormButtons } from "#ui/form.tsx";
import { ChoiceField } from "#ui/formFields.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import classes from "./duty.module.css";

/** Whether members of the viewer's job go on and off duty by hand. */
export default function RulesDialog({ onClose }: { onClose(): void }) {
  const { t } = useText();
  const { character, jobAdmin } = useActiveIdentity();
  const job = jobAdmin?.job ?? character.job.name;
  const query = useQuery({ ...queryOf(getDutyRules, { params: { job } }), staleTime: 0 });
  useFollow(dutyRulesTopic);
  const close = useRef<() => void>(onClose);
  return (
    <Dialog title={t("duty.rules.title")} onClose={() => close.current()}>
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isPending && <Bars widths={["70%", "100%"]} />}
      {query.data && query.isFetchedAfterMount && (
        <RulesForm rules={query.data} onClose={onClose} askFirst={(leave) => (close.current = leave)} />
      )}
    </Dialog>
  );
}

interface Values extends Record<string, unknown> {
  readonly byHand: ByHandMode;
}

interface FormProps {
  readonly rules: DutyRules;
  onClose(): void;
  /** Gets what to do when the dialog is closed. */
  askFirst(leave: () => void): void;
}

function RulesForm({ rules, onClose, askFirst }: FormProps) {
  const { t, language } = useText();
  const { job, gameSince } = rules;
  const name = (mode: unknown) => t(`duty.rules.modes.${String(mode)}`);
  const form = useContractForm<Values>({
    contract,
    fields: { byHand: { label: t("duty.rules.byHand"), show: name } },
    stored: { version: rules.version, values: { byHand: rules.byHand } },
    save: async ({ byHand }, version) => await api.call(putDutyRules, { params: { job }, body: { version, byHand } }),
    async read() {
      const { version, byHand } = await api.call(getDutyRules, { params: { job } });
      return { version, values: { byHand } };
    },
    saved: onClose,
  });
  askFirst(() => form.model.leave(onClose));
  return (
    <Form form={form} className={classes["rules"]}>
      <p className={classes["quiet"]}>
        {gameSince === null ? t("duty.rules.noGame") : t("duty.rules.gameSince", { time: absoluteTime(gameSince, language) })}
      </p>
      <ChoiceField at="byHand" data={byHandModes.map((value) => ({ value, label: name(value) }))} autoFocus />
      <p className={classes["quiet"]}>{t("duty.rules.what")}</p>
      <FormButtons submit={t("web.form.save")} cancel={{ text: t("web.cancel"), run: () => form.model.leave(onClose) }} />
    </Form>
  );
}
