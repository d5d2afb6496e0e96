import { useState } from "react";
import { Checkbox } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useText } from "#core/i18n.ts";
import { type Call, usePresentCalls } from "./calls.queries.ts";
import { CallSelect } from "./callSelect.tsx";
import { ChoiceDialog } from "./choiceDialog.tsx";
import { differInJobs, mergeable, olderOf } from "./merge.ts";
import { useMerging } from "./merging.ts";
import { refOf } from "./ref.ts";
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
  const found = mergeable(call, query.data?.items ?? []);
  const other = found.find(({ id }) => String(id) === chosen);
  const stays = other && refOf(olderOf(call, other).id);
  const differ = other !== undefined && differInJobs(call, other);
  const send = async () => {
    if (other === undefined) return false;
    const into = await merge(call, other, differ && unites);
    if (into !== null && into.id !== call.id) void navigate({ to: "/calls/$id", params: { id: String(into.id) } });
    return into !== null;
  };
  return (
    <ChoiceDialog
      title={t("calls.merge.title", { ref: refOf(call.id) })}
      nothing={found.length === 0 ? t("calls.merge.none") : null}
      submit={t("calls.do.merge")}
      isChosen={other !== undefined}
      {...{ query, send, onClose }}
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
    </ChoiceDialog>
  );
}
