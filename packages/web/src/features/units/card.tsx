import { Button } from "@mantine/core";
import { useText } from "#core/i18n.ts";
import { useNamer } from "#features/colleagues/colleagues.api.ts";
import { useAnnouncement } from "#ui/actionList.tsx";
import { HomeCard } from "#ui/homeCard.tsx";
import { ownUnit } from "./own.ts";
import { StatusButtons } from "./statusButtons.tsx";
import { StatusTag } from "./statusTag.tsx";
import { useCrewChanges, useUnits } from "./units.queries.ts";
import classes from "./units.module.css";

/** The own unit with its statuses; for somebody on duty without one, which there are. Nothing for others. */
export default function UnitsCard() {
  const { t } = useText();
  const { data } = useUnits();
  const { announcement, announce } = useAnnouncement();
  const changes = useCrewChanges(announce);
  const nameOf = useNamer();
  if (data === undefined) return null;
  const unit = ownUnit(data.items);
  const joinable = data.items.filter(({ may }) => may.includes("join"));
  if (unit === undefined && joinable.length === 0) return null;
  return (
    <HomeCard
      title={t("units.card.title")}
      to="/units"
      action={t("units.card.open")}
      sentence={
        unit === undefined ? (
          t("units.card.none", { count: joinable.length })
        ) : (
          <span className={classes["line"]}>
            <span>
              {t("units.card.own", {
                name: unit.name,
                crew: unit.crew.map((member) => nameOf(member, unit.job.name)).join(", "),
              })}
            </span>
            <StatusTag status={unit.status} />
          </span>
        )
      }
    >
      {unit?.may.includes("status") === true && <StatusButtons unit={unit} changes={changes} />}
      {unit?.may.includes("leave") === true && (
        <Button className={classes["leave"]} size="compact-md" variant="default" onClick={() => void changes.leave()}>
          {t("units.leave")}
        </Button>
      )}
      <div className="rc-hidden" role="status">
        <span key={announcement.count}>{announcement.text}</span>
      </div>
    </HomeCard>
  );
}
