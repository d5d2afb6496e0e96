import { useState } from "react";
import { Button } from "@mantine/core";
import { IconUserPlus } from "@tabler/icons-react";
import { useText } from "#core/i18n.ts";
import { part } from "#core/part.ts";
import { useMoves } from "./colleagues.queries.ts";
import type { HireDialogProps } from "./hireDialog.tsx";

const HireDialog = part<HireDialogProps>(["citizens", "colleagues"], () => import("./hireDialog.tsx"));

/** Nothing where it is off or the viewer has no grade to give. */
export function Hire() {
  const { t } = useText();
  const { data } = useMoves();
  const [asking, setAsking] = useState(false);
  if (!data?.on || !data.may.includes("hire") || data.grades.length === 0) return null;
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconUserPlus size={16} aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => setAsking(true)}
      >
        {t("colleagues.hire.open")}
      </Button>
      {asking && <HireDialog moves={data} onClose={() => setAsking(false)} />}
    </>
  );
}
