import { useState } from "react";
import { Button } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { IconClipboardPlus } from "@tabler/icons-react";
import { conductPermissions } from "@rollcall/server/contract/conduct";
import { useAbilities, useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { part } from "#core/part.ts";
import { usePoints } from "./conduct.queries.ts";
import type { EditorProps } from "./editor.tsx";
import { EntryList } from "./entryList.tsx";
import { PointsLine } from "./pointsLine.tsx";
import classes from "./conduct.module.css";

const Editor = part<EditorProps>(["conduct"], () => import("./editor.tsx"));

/** The entries about a colleague, as far as the viewer sees them. */
export default function ConductTab({ citizenId }: { readonly citizenId: number }) {
  const { t } = useText();
  const navigate = useNavigate();
  const [writing, setWriting] = useState(false);
  const isOwn = useActiveIdentity().character.id === citizenId;
  const mayWrite = useAbilities().has(conductPermissions.write) && !isOwn;
  const points = usePoints(citizenId).data?.points;
  return (
    <div className={`${classes["form"]} ${classes["pane"]}`}>
      {points != null && <PointsLine points={points} />}
      {mayWrite && (
        <Button
          variant="default"
          className={classes["start"] ?? ""}
          leftSection={<IconClipboardPlus size={15} aria-hidden />}
          aria-haspopup="dialog"
          onClick={() => setWriting(true)}
        >
          {t("conduct.edit.open")}
        </Button>
      )}
      <EntryList search={{ person: String(citizenId) }} nothing={t("conduct.ofPerson")} ofOne />
      {writing && (
        <Editor
          entry={null}
          citizenId={citizenId}
          onClose={() => setWriting(false)}
          onSaved={(id) => {
            setWriting(false);
            void navigate({ to: "/conduct/$id", params: { id: String(id) } });
          }}
        />
      )}
    </div>
  );
}
