import { useState } from "react";
import { Button, Menu } from "@mantine/core";
import {
  IconArrowBackUp,
  IconCircleCheck,
  IconDots,
  IconHelp,
  IconListDetails,
  IconMapPin,
  IconPencil,
  IconRoad,
  IconRotateClockwise,
} from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useText } from "#core/i18n.ts";
import { HandBackDialog, type WorkChanges } from "#features/assignments/assignments.api.ts";
import { WriteToCall } from "#features/calls/calls.api.ts";
import { TimeAgo } from "#ui/small.tsx";
import { CallHead } from "./head.tsx";
import type { OwnCall } from "./own.ts";
import classes from "./crew.module.css";

interface WorkProps {
  readonly own: OwnCall;
  readonly changes: WorkChanges;
}

const STEPS = [
  ["enRoute", IconRoad],
  ["onScene", IconMapPin],
] as const;

/** The call that the unit works: how far it is in four large buttons, what is rare behind another one. */
export function Work({ own, changes }: WorkProps) {
  const { t } = useText();
  const [writing, setWriting] = useState(false);
  const { call, on } = own;
  const { state, needsHelp, may, unit } = on;
  const isStopped = changes.busy || state === "offered";
  const mayMove = may.includes("progress");
  return (
    <section className={classes["part"]} data-work={call.id} aria-label={t("crew.current", { id: `DSP-${call.id}` })}>
      <CallHead call={call} />
      <div className={classes["line"]}>
        <span>{t(`crew.states.${state}`)}</span>
        <TimeAgo instant={on.since} />
        {needsHelp && <strong className={classes["help"]}>{t("crew.helpNeeded")}</strong>}
      </div>
      <div className={classes["four"]} role="group" aria-label={t("crew.progress", { unit: unit.name, id: `DSP-${call.id}` })}>
        {STEPS.map(([one, Icon]) => (
          <Button
            key={one}
            size="lg"
            variant={state === one ? "filled" : "default"}
            aria-pressed={state === one}
            leftSection={<Icon size={20} aria-hidden />}
            disabled={isStopped || !mayMove}
            onClick={() => void changes.progress(on, one)}
          >
            {t(`crew.states.${one}`)}
          </Button>
        ))}
        <Button
          size="lg"
          variant={needsHelp ? "filled" : "default"}
          aria-pressed={needsHelp}
          leftSection={<IconHelp size={20} aria-hidden />}
          disabled={isStopped || !mayMove}
          onClick={() => state !== "offered" && void changes.progress(on, state, !needsHelp)}
        >
          {t("crew.needHelp")}
        </Button>
        <Button
          size="lg"
          variant="default"
          leftSection={<IconCircleCheck size={20} aria-hidden />}
          disabled={isStopped || !may.includes("finish")}
          onClick={() => void changes.finish(on)}
        >
          {t("crew.done")}
        </Button>
      </div>
      <div className={classes["line"]}>
        {call.may.includes("note") && (
          <Button
            variant="default"
            leftSection={<IconPencil size={16} aria-hidden />}
            aria-expanded={writing}
            onClick={() => setWriting(!writing)}
          >
            {t("crew.write")}
          </Button>
        )}
        <More own={own} changes={changes} />
      </div>
      {writing && <WriteToCall call={call} />}
    </section>
  );
}

function More({ own: { call, on }, changes }: WorkProps) {
  const { t } = useText();
  const navigate = useNavigate();
  const [handing, setHanding] = useState(false);
  return (
    <>
      <Menu position="top-start">
        <Menu.Target>
          <Button variant="default" leftSection={<IconDots size={16} aria-hidden />}>
            {t("crew.more")}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconListDetails size={16} aria-hidden />}
            onClick={() => void navigate({ to: "/calls/$id", params: { id: String(call.id) } })}
          >
            {t("crew.open")}
          </Menu.Item>
          {on.may.includes("progress") && on.state !== "accepted" && (
            <Menu.Item
              leftSection={<IconRotateClockwise size={16} aria-hidden />}
              onClick={() => void changes.progress(on, "accepted")}
            >
              {t("crew.notYet")}
            </Menu.Item>
          )}
          {on.may.includes("handBack") && (
            <Menu.Item leftSection={<IconArrowBackUp size={16} aria-hidden />} onClick={() => setHanding(true)}>
              {t("crew.handBack")}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {handing && (
        <HandBackDialog
          on={on}
          onDone={() => changes.announce(t("crew.handedBack", { id: `DSP-${call.id}` }))}
          onClose={() => setHanding(false)}
        />
      )}
    </>
  );
}
