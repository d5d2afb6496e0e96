import { useRef } from "react";
import { NumberInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getTargets, getTeam, mostHours, putTargets, type Target, type Targets } from "@rollcall/server/contract/timeclock";
import contract from "virtual:form/timeclock/putTargets";
import { useWorkedJob } from "#core/abilities.ts";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { useJob } from "#core/jobs.tsx";
import { queryOf } from "#core/queries.ts";
import { api } from "#core/services.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Form, FormButtons } from "#ui/form.tsx";
import { OwnField } from "#ui/formFields.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import classes from "./timeclock.module.css";

export interface TargetsDialogProps {
  onClose(): void;
}

/** How many hours a week the job wants of each grade. */
export default function TargetsDialog({ onClose }: TargetsDialogProps) {
  const { t } = useText();
  const query = useQuery({ ...queryOf(getTargets, {}), staleTime: 0 });
  const close = useRef<() => void>(onClose);
  return (
    <Dialog title={t("timeclock.targets.title")} onClose={() => close.current()}>
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isPending && <Bars widths={["70%", "100%"]} />}
      {query.data && query.isFetchedAfterMount && (
        <TargetsForm targets={query.data} onClose={onClose} askFirst={(leave) => (close.current = leave)} />
      )}
    </Dialog>
  );
}

interface Values extends Record<string, unknown> {
  readonly targets: readonly Target[];
}

interface FormProps extends TargetsDialogProps {
  readonly targets: Targets;
  /** Gets what to do when the dialog is closed. */
  askFirst(leave: () => void): void;
}

function TargetsForm({ targets, onClose, askFirst }: FormProps) {
  const { t } = useText();
  const queries = useQueryClient();
  const grades = useJob(useWorkedJob())?.grades ?? [];
  const form = useContractForm<Values>({
    contract,
    fields: { targets: { label: t("timeclock.targets.hours") } },
    stored: { version: targets.version, values: { targets: targets.targets } },
    draft: "timeclock.targets",
    async save(values, version) {
      await api.call(putTargets, { body: { version, targets: [...values.targets] } });
    },
    read: async () => {
      const { version, targets: now } = await api.call(getTargets);
      return { version, values: { targets: now } };
    },
    saved() {
      for (const { id } of [getTargets, getTeam]) void queries.invalidateQueries({ queryKey: [id] });
      onClose();
    },
  });
  const leave = () => form.model.leave(onClose);
  askFirst(leave);
  return (
    <Form form={form} className={classes["form"]}>
      <p className={classes["quiet"]}>{t("timeclock.targets.lead")}</p>
      <OwnField<readonly Target[]> at="targets">
        {({ value, set, error }) =>
          grades.map(({ grade, label }) => (
            <NumberInput
              key={grade}
              label={label}
              min={1}
              max={mostHours}
              allowDecimal={false}
              clampBehavior="strict"
              error={error}
              value={value.find((one) => one.grade === grade)?.hours ?? ""}
              onChange={(hours) => {
                const others = value.filter((one) => one.grade !== grade);
                set(typeof hours === "number" ? [...others, { grade, hours }] : others);
              }}
            />
          ))
        }
      </OwnField>
      <FormButtons submit={t("timeclock.targets.save")} cancel={{ text: t("web.cancel"), run: leave }} />
    </Form>
  );
}
