/**
 * Header words by quantity, in the languages of common exports. Words are compared in lower case without spaces, marks and units. New words
 * are added only in this file.
 */

import type { TableRole } from './tableDescription.js';

/** Words for one role. Of several columns of a role, the one with the lowest rank is read. */
export interface HeaderWords {
  readonly role: TableRole;
  readonly rank: number;
  readonly words: string;
  /** Unit implied by the words. */
  readonly unit?: string;
  /** Whether the words are common names, which a description does not list as assumptions. */
  readonly isCommon?: true;
}

export const HEADER_WORDS: readonly HeaderWords[] = [
  {
    role: 'unit',
    rank: 0,
    isCommon: true,
    words: 'unit unitid vehicleid deviceid imei trackerid unitcode deviceimei mmsi',
  },
  {
    role: 'unit',
    rank: 1,
    isCommon: true,
    words:
      'vehicle veh device tracker asset assetid ident object objectname individuallocalidentifier тс объект трекер борт машина автомобиль fahrzeug vehiculo vehículo véhicule vehicule veicolo veículo veiculo pojazd araç arac objekt 车辆 设备 设备号 車輛 車両 차량 단말기',
  },
  {
    role: 'unit',
    rank: 2,
    words:
      'vehiclename vesselname taglocalidentifier devicename unitname trackername assetname trajid userid busid truck truckid truckno car bus driverid ид идентификатор идтс названиетс наименованиетс имяобъекта названиеобъекта наименованиеобъекта',
  },
  {
    role: 'unit',
    rank: 3,
    words:
      'plate licenseplate licenceplate vehiclelicenseplate platenumber registration registrationnumber regno regnumber registrationno fleetno fleetnumber госномер грз госномертс номертс номермашины номеравто номеравтомобиля регномер регистрационныйномер kennzeichen amtlicheskennzeichen fahrzeugkennzeichen matricula matrícula placa patente immatriculation plaque targa rejestracja numerrejestracyjny nrrejestracyjny kenteken spz rz plaka государственныйномер госрегномер держномер номерзнак 车牌 车牌号 车牌号码 車牌 車牌號碼 車両番号 ナンバー 차량번호',
  },
  {
    role: 'time',
    rank: 0,
    words:
      'fixtime gpstime времянавигации времяgps времяпоспутнику времяфиксации времяопределения gpsdatetime fixdatetime времяточки dttracker dtgps dtfix',
  },
  {
    role: 'time',
    rank: 1,
    isCommon: true,
    words:
      'time timestamp ts datetime timeutc recordedat trackedat msgtime unixtime epoch время датавремя датаивремя времясообщения timedate дата/время dateandtime zeit datumzeit datumuhrzeit datumundzeit datumunduhrzeit zeitstempel zeitpunkt fechahora fechayhora horodatage dateheure dateetheure dataora dataeora datahora dataehora dataczas dataiczas czas tarihsaat tarihvesaat zaman datumtijd tijdstip tijd час датачас датаічас часдата eventtime positiontime gpsdate locationtime basedatetime utctime datetimeutc tijdstempel tidpunkt čas cas 时间 定位时间 gps时间 日期时间 時間 時刻 日時 시간 일시',
  },
  { role: 'time', rank: 2, words: 't utc devicetime времяустройства времятрекера gpsutc localtime lcltime' },
  {
    role: 'time',
    rank: 3,
    words:
      'servertime received receivedat receivetime времясервера времяполучения времярегистрации времяприема времянасервере createdat dtserver insertedat serverdatetime uploadtime uploadedat storedat',
  },
  {
    role: 'date',
    rank: 0,
    isCommon: true,
    words: 'date дата datum fecha data jour tarih servicedate day день gpsdate dateutc localdate lcldate',
  },
  { role: 'clock', rank: 1, isCommon: true, words: 'uhrzeit hora heure ora godzina saat hour clock часы' },
  {
    role: 'lat',
    rank: 0,
    isCommon: true,
    words:
      'lat latitude широта latdeg latitudedegrees breite breitengrad latitud latitudine szerokosc szerokość szerokośćgeograficzna enlem breedtegraad pointlatitude stoplat latdd gpslat gpslatitude positionlatitude locationlatitude latituded latitudewgs84 latitudens geographischebreite shapeptlat 纬度 緯度 위도',
  },
  { role: 'lat', rank: 1, words: 'y ш шир φ posy zeměpisnášířka' },
  {
    role: 'lon',
    rank: 0,
    isCommon: true,
    words:
      'lon lng long longitude долгота londeg longitudedegrees lange länge laenge langengrad längengrad laengengrad longitud longitudine dlugosc długość długośćgeograficzna boylam lengtegraad довгота pointlongitude stoplon londd gpslon gpslng gpslongitude positionlongitude locationlongitude longitudewgs84 longitudeew geographischelange geographischelänge shapeptlon 经度 經度 経度 경도',
  },
  { role: 'lon', rank: 1, words: 'x д дол долг λ posx zeměpisnádélka' },
  {
    role: 'position',
    rank: 0,
    words:
      'координаты coordinates coordinate latlng latlon latlong location position point gps gpscoordinates gpsposition местоположение местонахождение положение koordinaten standort coordenadas posicion posición ubicacion ubicación coordonnees coordonnées coordinate wspolrzedne współrzędne koordinatlar konum координати',
  },
  {
    role: 'latHemisphere',
    rank: 0,
    words:
      'ns northsouth latns latdir latitudedirection lathemisphere latitudehemisphere nsindicator latref latituderef gpslatituderef',
  },
  {
    role: 'lonHemisphere',
    rank: 0,
    words:
      'ew eastwest lonew londir longitudedirection lonhemisphere longitudehemisphere ewindicator lonref longituderef gpslongituderef',
  },
  {
    role: 'speed',
    rank: 0,
    isCommon: true,
    words:
      'speed velocity vel spd скорость geschwindigkeit velocidad vitesse velocita velocità prędkość predkosc hız hiz snelheid швидкість velocidade gpsspeed groundspeed speedgps скоростьgps скоростьдвижения скор vehiclespeed rychlost 速度 车速 車速 속도',
  },
  { role: 'speed', rank: 0, unit: 'knots', words: 'knots sog speedoverground' },
  {
    role: 'course',
    rank: 0,
    words:
      'course heading bearing azimuth direction cog cap rumbo richtung peilung kurs fahrtrichtung курс направление азимут направлениедвижения coursedegrees kierunek yön direzione rotta courseoverground',
  },
  {
    role: 'altitude',
    rank: 0,
    words:
      'altitude alt elevation ele height z высота hohe höhe hoehe altura altitud altezza quota wysokość wysokosc yükseklik hoogte висота altitudine 海拔 高度 고도',
  },
  {
    role: 'accuracy',
    rank: 0,
    words: 'accuracy точность genauigkeit precision precisión précision horizontalaccuracy погрешность',
  },
  {
    role: 'satellites',
    rank: 0,
    words:
      'sat sats satellites satused satellitecount numsat nsat спутники колвоспутников количествоспутников числоспутников satelliten satelites satélites satellite satelliti satelity uydu',
  },
  {
    role: 'ignition',
    rank: 0,
    words:
      'ignition ign acc engine engineon din1 зажигание замокзажигания двигатель состояниезажигания zundung zündung contacto encendido contact allumage accensione zapłon zaplon kontak запалювання ignicao ignição ignicion ignición accstatus accstate ignitionstatus zündstatus silnik motor',
  },
  {
    role: 'mileage',
    rank: 0,
    words:
      'mileage odometer odo totaldistance пробег одометр показанияодометра kilometerstand kilometraje odometro odómetro kilometrage kilométrage chilometraggio przebieg kilometre пробіг kmstand',
  },
  { role: 'mileageDelta', rank: 0, words: 'mileagedelta distancedelta пробегмеждуточками' },
  {
    role: 'valid',
    rank: 0,
    words: 'valid gpsfixtype gpsvalid достоверность валидность валидна isvalid gültig',
  },
  {
    role: 'wkt',
    rank: 0,
    words: 'wkt geom thegeom geometry geometrywkt wktgeom ewkt wkbgeometry ewkb geog way геометрия',
  },
  {
    role: 'vertices',
    rank: 0,
    words:
      'vertices points outline boundary contour ring polygonpoints polygoncoordinates контур точки вершины границы граница границазоны точкизоны eckpunkte grenze umriss contorno puntos vertices vértices poligono polígono sommets contour perimetre périmètre',
  },
  { role: 'wkt', rank: 1, words: 'area polygon shape полигон' },
  {
    role: 'id',
    rank: 0,
    words: 'id gid fid objectid uuid zoneid geozoneid geofenceid идзоны номерзоны stopid shapeid',
  },
  { role: 'name', rank: 0, isCommon: true, words: 'name zone' },
  {
    role: 'name',
    rank: 1,
    words:
      'title label подпись название наименование имя bezeichnung nombre nom zonename geozone geofence названиезоны геозона названиегеозоны наименованиегеозоны nazwa nome isim ad naam назва place placename site depot 名称 名稱 地点 地點 名前 이름 명칭 stopname',
  },
  { role: 'name', rank: 2, words: 'description описание beschreibung descripcion descripción' },
  {
    role: 'radius',
    rank: 0,
    words:
      'radius радиус radio rayon raggio promień promien yarıçap yaricap straal радіус raio 半径 半徑 반경 poloměr sugár',
  },
  { role: 'radiusUnit', rank: 0, words: 'radiusunit radiusunits единицарадиуса' },
  { role: 'width', rank: 0, words: 'width ширина breitemeter ancho largeur larghezza szerokoscpasa' },
  {
    role: 'vertexOrder',
    rank: 0,
    words:
      'vertex vertexorder pointorder pointindex sequence seq shapeptsequence vertexindex вершина номерточки номервершины порядок point_no pointno n',
  },
  {
    role: 'trip',
    rank: 0,
    words:
      'trip tripname tripid route routename рейс маршрут названиерейса tour fahrt viaje ruta ruta trajet',
  },
  {
    role: 'stopOrder',
    rank: 0,
    words:
      'order stoporder stopno stopnumber stopsequence sequence seq порядок номерточки очередь пп номерпп reihenfolge orden ordre',
  },
  {
    role: 'stop',
    rank: 0,
    words:
      'stop zone zoneid zonename stopname геозона точка зона остановка объект halt haltestelle parada arret arrêt',
  },
  {
    role: 'arrival',
    rank: 0,
    words:
      'arrival plannedarrival scheduledarrival plannedtime scheduledtime eta arrivaltime прибытие плановоеприбытие планприбытия приход времяприхода времяприбытия прибытиеплан ankunft sollankunft geplanteankunft llegada llegadaprevista arrivee arrivée arrivéeprévue varış przyjazd arrivo aankomst',
  },
  {
    role: 'departure',
    rank: 0,
    words:
      'departure planneddeparture scheduleddeparture etd departuretime отправление убытие плановоеотправление планотправления планубытия уход времяотправления времяубытия abfahrt sollabfahrt geplanteabfahrt salida salidaprevista depart départ kalkış odjazd partenza vertrek',
  },
  {
    role: 'tolerance',
    rank: 0,
    words:
      'tolerance deviation deviationminutes toleranceminutes отклонение допуск toleranz tolerancia tolérance',
  },
];

/** Roles that only tables of plans use. Other tables ignore their words. */
export const PLAN_ROLES: ReadonlySet<TableRole> = new Set<TableRole>([
  'trip',
  'stopOrder',
  'stop',
  'arrival',
  'departure',
  'tolerance',
]);

/** First words of rows with totals of the rows above, in lower case. */
export const TOTAL_WORDS: readonly string[] = [
  'итого',
  'всего',
  'total',
  'totals',
  'summe',
  'gesamt',
  'suma',
  'somme',
  'totale',
  'razem',
  'toplam',
  'totaal',
  'разом',
];

/** Labels before a unit's name in lines above a header. */
export const UNIT_LABELS: ReadonlySet<string> = new Set(
  'объект тс транспортноесредство машина автомобиль трекер device unit vehicle object fahrzeug vehículo vehiculo véhicule vehicule objekt tracker'.split(
    ' ',
  ),
);
