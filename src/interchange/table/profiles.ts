/** Facts about the tables of programs that their headers do not show. A new program is a row here. */

import type { TableProfile } from './tableDescription.js';

/** Profiles of programs, the most specific headers first. */
export const PROFILES: readonly TableProfile[] = [
  {
    name: 'traccar',
    headers: ['deviceId', 'fixTime', 'protocol'],
    speedUnit: 'knots',
    columns: [
      { name: 'deviceId', role: 'unit' },
      { name: 'fixTime', role: 'time' },
      { name: 'totalDistance', role: 'mileage', unit: 'm' },
      { name: 'attributes.totalDistance', role: 'mileage', unit: 'm' },
      { name: 'attributes.ignition', role: 'ignition' },
      { name: 'attributes.sat', role: 'satellites' },
    ],
  },
  {
    name: 'gpslogger',
    headers: ['ageofdgpsdata', 'provider', 'elevation'],
    speedUnit: 'mps',
  },
  {
    name: 'gpslogger',
    headers: ['time', 'lat', 'lon', 'elevation', 'accuracy', 'bearing', 'speed'],
    speedUnit: 'mps',
  },
  {
    name: 'basicairdata',
    headers: ['type', 'date time', 'geoid_height(m)', 'sat_inview'],
    timeZone: 'UTC',
    columns: [{ name: 'name', role: 'unit', format: 'fill-down' }],
  },
  {
    name: 'google-records',
    headers: ['latitudeE7', 'longitudeE7', 'timestamp'],
    speedUnit: 'mps',
    columns: [{ name: 'deviceTag', role: 'unit' }],
  },
  {
    name: 'owntracks',
    headers: ['tst', 'lat', 'lon', 'acc', 'tid'],
    speedUnit: 'kph',
    columns: [
      { name: 'tid', role: 'unit' },
      { name: 'tst', role: 'time' },
      { name: 'acc', role: 'accuracy' },
      { name: 'vel', role: 'speed' },
    ],
  },
  {
    name: 'samsara',
    headers: ['vehicle.id', 'time', 'speedMilesPerHour'],
    columns: [{ name: 'vehicle.id', role: 'unit' }],
  },
  {
    name: 'wialon',
    headers: ['t', 'pos.y', 'pos.x'],
    speedUnit: 'kph',
    columns: [
      { name: 't', role: 'time' },
      { name: 'pos.y', role: 'lat' },
      { name: 'pos.x', role: 'lon' },
      { name: 'pos.z', role: 'altitude' },
      { name: 'pos.s', role: 'speed' },
      { name: 'pos.c', role: 'course' },
      { name: 'pos.sc', role: 'satellites' },
    ],
  },
  {
    name: 'navixy',
    headers: ['msg_time', 'gps_fix_type'],
    columns: [
      { name: 'msg_time', role: 'time' },
      { name: 'gps_fix_type', role: 'valid' },
    ],
  },
  {
    name: 'movebank',
    headers: ['timestamp', 'location-long', 'location-lat'],
    timeZone: 'UTC',
    speedUnit: 'mps',
    columns: [
      { name: 'location-long', role: 'lon' },
      { name: 'location-lat', role: 'lat' },
    ],
  },
  {
    name: 'ais',
    headers: ['MMSI', 'BaseDateTime'],
    timeZone: 'UTC',
  },
  {
    name: 'ais',
    headers: ['# Timestamp', 'MMSI', 'SOG'],
    timeZone: 'UTC',
  },
  {
    name: 'flespi',
    headers: ['ident', 'position.latitude', 'position.longitude'],
    speedUnit: 'kph',
    columns: [
      { name: 'timestamp', role: 'time' },
      { name: 'position.direction', role: 'course' },
    ],
  },
  {
    name: 'gtfs-shapes',
    headers: ['shape_id', 'shape_pt_lat', 'shape_pt_lon', 'shape_pt_sequence'],
  },
  {
    name: 'osmand',
    headers: ['deviceid', 'timestamp', 'bearing', 'batt'],
    columns: [{ name: 'deviceid', role: 'unit' }],
  },
  {
    name: 'geotab',
    headers: ['device_id', 'vehicleLicensePlate', 'dateTime'],
    columns: [{ name: 'device_id', role: 'unit' }],
  },
];
