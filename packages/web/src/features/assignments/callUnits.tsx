import { useState } from "react";
import { Button } from "@mantine/core";
import { IconHandGrab, IconUsersPlus } from "@tabler/icons-react";
import { useText } from "#core/i18n.ts";
import { part } from "#core/part.ts";
import { ActionList, useAnnouncement } from "#ui/actionList.tsx";
import { Section } from "#ui/small.tsx";
import type { AskDialogProps } from "./askDialog.tsx";
import { type Call, useWorkChanges } from "./assignments.queries.ts";
import { UnitLine } from "./unitLine.tsx";
import classes from "./assignments.module.css";

const AskDialog = part<AskDialogProps>(["assignments"], () => import("./askDialog.tsx"));

export interface CallUnitsProps {
  readonly call: Pick<Call, "id" | "jobs" | "units" | "work">;
}

/** The units that are asked or work a call. Nothing where there is none and nobody could bring one. */
export default function CallUnits({ call }: CallUnitsProps) {
  const { t } = useText();
  const { announcement, announce } = useAnnouncement();
  const changes = useWorkChanges(announce);
  const [asking, setAsking] = useState(false);
  if (call.units.length === 0 && call.work.length === 0) return null;
  return (
    <Section title={t("assignments.title")} count={call.units.length}>
      <ActionList label={t("assignments.title")} announcement={announcement}>
        {call.units.length === 0 && <p className={classes["quiet"]}>{t("assignments.none")}</p>}
        <ul className={classes["list"]}>
          {call.units.map((on) => (
            <UnitLine key={on.id} on={on} call={call} changes={changes} />
          ))}
        </ul>
        <div className={classes["actions"]}>
          {call.work.includes("take") && (
            <Button
              leftSection={<IconHandGrab size={15} aria-hidden />}
              disabled={changes.busy}
              onClick={() => void changes.take(call)}
            >
              {t("assignments.take")}
            </Button>
          )}
          {call.work.includes("offer") && (
            <Button
              variant="default"
              leftSection={<IconUsersPlus size={15} aria-hidden />}
              aria-haspopup="dialog"
              onClick={() => setAsking(true)}
            >
              {t("assignments.ask.open")}
            </Button>
          )}
        </div>
      </ActionList>
      {asking && <AskDialog call={call} onClose={() => setAsking(false)} />}
    </Section>
  );
}
