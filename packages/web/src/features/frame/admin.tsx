import { useState, type FormEvent } from "react";
import { Button, Modal, Select, Text, Textarea } from "@mantine/core";
import { enterJobAdmin } from "@rollcall/server/contract/auth";
import { useActiveIdentity } from "#core/abilities.ts";
import { useDraft } from "#core/drafts.ts";
import { useText } from "#core/i18n.ts";
import { useJobs } from "#core/jobs.tsx";
import { api, session } from "#core/services.ts";
import { jobOption } from "#ui/small.tsx";
import { ProblemNote } from "#ui/states.tsx";
import classes from "./dialogs.module.css";

const MINUTES = ["15", "30", "60", "120", "240"] as const;
const SHORTEST_REASON = 3;

/** Enters job admin, with a reason and for a limited time. */
export default function AdminDialog({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const { character } = useActiveIdentity();
  const jobs = useJobs();
  const draft = useDraft("auth.jobAdmin", { reason: "", job: character.job.name, minutes: "60" });
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const { reason, job, minutes } = draft.value;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await api.call(enterJobAdmin, { body: { reason: reason.trim(), job, minutes: Number(minutes) } });
      await session.renewRights();
      draft.clear();
      onClose();
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  };

  return (
    <Modal opened onClose={onClose} title={t("auth.jobAdmin.title")} closeButtonProps={{ "aria-label": t("web.close") }}>
      <form className={classes["form"]} onSubmit={(event) => void submit(event)}>
        <Text size="sm" c="dimmed">
          {t("auth.jobAdmin.text")}
        </Text>
        {error !== null && <ProblemNote error={error} />}
        {jobs.isError && <ProblemNote error={jobs.error} onRetry={() => void jobs.refetch()} />}
        <Select
          label={t("auth.jobAdmin.job")}
          data={(jobs.data?.jobs ?? [{ name: character.job.name, label: character.job.label }]).map(({ name, label }) => ({
            value: name,
            label,
          }))}
          renderOption={jobOption}
          value={job}
          onChange={(value) => value && draft.set({ job: value })}
          allowDeselect={false}
          searchable
        />
        <Textarea
          label={t("auth.jobAdmin.reason")}
          description={t("auth.jobAdmin.reasonText")}
          minRows={2}
          maxLength={255}
          required
          withAsterisk={false}
          data-autofocus
          value={reason}
          onChange={(event) => draft.set({ reason: event.currentTarget.value })}
        />
        <Select
          label={t("auth.jobAdmin.minutes")}
          data={MINUTES.map((value) => ({
            value,
            label: t("auth.jobAdmin.minutesValue", { count: Number(value) }),
          }))}
          value={minutes}
          onChange={(value) => value && draft.set({ minutes: value })}
          allowDeselect={false}
        />
        <div className={classes["actions"]}>
          <Button variant="default" onClick={onClose}>
            {t("web.cancel")}
          </Button>
          <Button type="submit" loading={busy} disabled={reason.trim().length < SHORTEST_REASON}>
            {t("auth.jobAdmin.enter")}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
