import { useState } from "react";
import { Button, Checkbox } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useText } from "#core/i18n.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { type Call, usePresentCalls } from "./calls.queries.ts";
import { CallSelect } from "./callSelect.tsx";
import { differInJobs, mergeable, olderOf } from "./merge.ts";
import { useMerging } from "./merging.ts";
import classes from "./calls.module.css";

export interface MergeDialogProps {
  readonly call: Call;
  onClose(): void;
}

/** Merges a call with another present one of the jobs of the viewer. */
export default function MergeDialog({ call, onClose }: MergeDialogProps) {
  const { t } = useText();
  const navigate = useNavigate();
  const { merge } = useMerging();
  const query = usePresentCalls();
  const [chosen, setChosen] = useState<string | null>(null);
  const [unites, setUnites] = useState(false);
  const [sending, setSending] = useState(false);
  const found = mergeable(call, query.data?.items ?? []);
  const other = found.find(({ id }) => String(id) === chosen);
  const stays = other && `DSP-${olderOf(call, other).id}`;
  const differ = other !== undefined && differInJobs(call, other);
  const send = async () => {
    if (other === undefined || sending) return;
    setSending(true);
    const into = await merge(call, other, differ && unites);
    setSending(false);
    if (into === null) return;
    onClose();
    if (into.id !== call.id) void navigate({ to: "/calls/$id", params: { id: String(into.id) } });
  };
  return (
    <Dialog title={t("calls.merge.title", { ref: `DSP-${call.id}` })} onClose={onClose}>
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isPending && <Bars widths={["70%", "40%"]} />}
      {query.isSuccess && found.length === 0 && <p>{t("calls.merge.none")}</p>}
      {found.length > 0 && (
        <form
          className={classes["form"]}
          onSubmit={(event) => {
            event.preventDefault();
            void send();
          }}
        >
          <CallSelect
            call={call}
            others={found}
            label={t("calls.merge.other")}
            description={t("calls.merge.hint")}
            nothingFoundMessage={t("calls.merge.noneFound")}
            value={chosen}
            onChange={setChosen}
          />
          {differ && (
            <Checkbox
              label={t("calls.merge.unite")}
              description={t("calls.merge.uniteHint", { ref: stays })}
              checked={unites}
              onChange={(event) => setUnites(event.currentTarget.checked)}
            />
          )}
          <p className={classes["quiet"]} aria-live="polite">
            {stays !== undefined && t("calls.merge.stays", { ref: stays })}
          </p>
          <div className={classes["actions"]}>
            <Button type="submit" disabled={other === undefined} loading={sending}>
              {t("calls.do.merge")}
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
