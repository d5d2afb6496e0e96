import { bind, type Binding } from "#core/feature.ts";
import {
  clientConfig,
  doctor as doctorOperation,
  clientAddress,
  lastBackup,
  readiness,
  systemStatus,
} from "./system.contract.ts";
import type { Doctor } from "./system.doctor.service.ts";
import type { SystemService } from "./system.service.ts";

export function systemRoutes(service: SystemService, doctor: Doctor): Binding[] {
  return [
    bind(clientConfig, async () => await service.client()),
    bind(readiness, async () => service.readiness()),
    bind(systemStatus, async () => service.status()),
    bind(lastBackup, async () => await service.lastBackup()),
    bind(doctorOperation, async () => await doctor.examine()),
    bind(clientAddress, async (call) => doctor.seen(call)),
  ];
}
