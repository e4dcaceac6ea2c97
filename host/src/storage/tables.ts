/** The tables as Kysely knows them. Ids are text: an id that is not a uuid is then not found, and not an error of the database. */

import type { ColumnType, Generated } from 'kysely';

/** A wire object: read parsed, written as JSON text. */
type Json<T> = ColumnType<T, string, string>;
type Row = Json<Readonly<Record<string, unknown>>>;
type Version = ColumnType<string, number, number>;

/** A company's objects of one kind: the wire's object beside the columns that are filtered, keyed or scoped. */
export interface ResourceTable {
  id: string;
  company_id: string;
  name: string;
  is_delete: boolean;
  created: ColumnType<Date, Date, never>;
  /** The company's version at the last write. */
  version: Version;
  /** Order of insertion. */
  ordinal: Generated<string>;
  row: Row;
}

export const RESOURCES = ['geozones', 'geozone_groups', 'custom_geozone_types', 'routes', 'trips'] as const;
export type ResourceName = (typeof RESOURCES)[number];

export interface CompanyTable {
  id: string;
  name: string;
  time_zone: string;
  zones_version: Version;
  /** `track_gradation`, `monitoring_sensors_settings`. */
  properties: Row;
}

export interface ApiKeyTable {
  /** SHA-256 of the key, hexadecimal: the key itself is kept nowhere. */
  key_hash: string;
  company_id: string;
  user_id: string;
  role: string;
}

export interface UnitTable {
  id: string;
  company_id: string;
  name: string;
  device_key: string;
  settings: Row;
}

export interface FixTable {
  unit_id: string;
  time: ColumnType<string, number, number>;
  fix: Row;
}

export interface UnitStateTable {
  unit_id: string;
  company_id: string;
  visits: Json<unknown>;
  /** Time and fix of the latest fix; null before the first. */
  last_time: ColumnType<string | null, number | null, number | null>;
  last_fix: ColumnType<Readonly<Record<string, unknown>> | null, string | null, string | null>;
}

/** How far the company's live trackers are: raised by each transaction that writes fixes. */
export interface CompanyStreamTable {
  company_id: string;
  /** Number of the last event. */
  last_event: Version;
  /** Transactions so far: trackers that expect another number are behind. */
  batch: Version;
}

export interface EventTable {
  company_id: string;
  /** 1, 2, … in commit order within the company. */
  number: ColumnType<string, number, never>;
  unit_id: string;
  time: ColumnType<string, number, number>;
  event: Row;
}

export interface TicketTable {
  /** SHA-256 of the ticket, hexadecimal. */
  hash: string;
  access: Json<unknown>;
  expires: ColumnType<string, number, number>;
}

export interface LocatorTable {
  id: string;
  company_id: string;
  unit_id: string;
  expires: ColumnType<string, number, number>;
}

export interface PictureTable {
  type_id: string;
  company_id: string;
  size: 'original' | 'small';
  media_type: string;
  bytes: ColumnType<Uint8Array, Uint8Array, Uint8Array>;
}

export type Tables = Record<ResourceName, ResourceTable> & {
  companies: CompanyTable;
  api_keys: ApiKeyTable;
  units: UnitTable;
  fixes: FixTable;
  unit_states: UnitStateTable;
  company_streams: CompanyStreamTable;
  events: EventTable;
  tickets: TicketTable;
  locators: LocatorTable;
  pictures: PictureTable;
};
