// GEOS peer of bench/zoneIndex.ts: an STRtree over polygons, each with an IndexedPointInAreaLocator.
//
// g++ -O3 -march=native geosIndex.cpp -lgeos -o geosIndex && ./geosIndex FILE PASSES
//
// FILE, little-endian: uint32 polygons, uint32 position sets; per polygon uint32 id, uint32 rings, per ring uint32 vertices and their
// doubles x, y (closed); per set uint32 positions and their doubles. Prints one line of JSON.
//
// ./geosIndex FILE 0 STEP...: milliseconds of processor time from coordinates in memory to the n-th answer of the first set, for each
// STEP. A zone's locator is created at its first query.

#include <geos/algorithm/locate/IndexedPointInAreaLocator.h>
#include <geos/geom/Coordinate.h>
#include <geos/geom/CoordinateArraySequence.h>
#include <geos/geom/Envelope.h>
#include <geos/geom/GeometryFactory.h>
#include <geos/geom/LinearRing.h>
#include <geos/geom/Location.h>
#include <geos/geom/Polygon.h>
#include <geos/index/strtree/TemplateSTRtree.h>

#include <ctime>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

using geos::algorithm::locate::IndexedPointInAreaLocator;
using geos::geom::Coordinate;
using geos::geom::Envelope;

static double cpuSeconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

static double residentBytes() {
  std::ifstream file("/proc/self/statm");
  double size = 0, resident = 0;
  file >> size >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

struct Zone {
  uint32_t id;
  std::unique_ptr<geos::geom::Polygon> polygon;
  std::unique_ptr<IndexedPointInAreaLocator> locator;
};

static int cold(FILE* file, int steps, char** step) {
  auto readCount = [&]() {
    uint32_t value = 0;
    if (fread(&value, 4, 1, file) != 1) exit(3);
    return value;
  };
  auto readNumbers = [&](uint32_t positions) {
    std::vector<double> numbers(2 * positions);
    if (fread(numbers.data(), 16, positions, file) != positions) exit(3);
    return numbers;
  };
  const uint32_t count = readCount();
  readCount();
  std::vector<std::vector<std::vector<double>>> polygons(count);
  for (auto& rings : polygons) {
    readCount();
    rings.resize(readCount());
    for (auto& ring : rings) ring = readNumbers(readCount());
  }
  const std::vector<double> lonLat = readNumbers(readCount());
  const double start = cpuSeconds();
  const auto factory = geos::geom::GeometryFactory::create();
  std::vector<Zone> zones(count);
  geos::index::strtree::TemplateSTRtree<Zone*> tree(10, count);
  for (uint32_t k = 0; k < count; k++) {
    std::unique_ptr<geos::geom::LinearRing> shell;
    std::vector<std::unique_ptr<geos::geom::LinearRing>> holes;
    for (const auto& numbers : polygons[k]) {
      auto sequence = std::make_unique<geos::geom::CoordinateArraySequence>(numbers.size() / 2, 2);
      for (size_t i = 0; 2 * i < numbers.size(); i++)
        sequence->setAt(Coordinate(numbers[2 * i], numbers[2 * i + 1]), i);
      auto linear = factory->createLinearRing(std::move(sequence));
      if (shell == nullptr) shell = std::move(linear);
      else holes.push_back(std::move(linear));
    }
    zones[k].polygon = factory->createPolygon(std::move(shell), std::move(holes));
    tree.insert(zones[k].polygon->getEnvelopeInternal(), &zones[k]);
  }
  tree.build();
  uint64_t hits = 0;
  size_t at = 0;
  printf("{\"curve\":[");
  for (int i = 0; i < steps; i++) {
    for (; at < strtoull(step[i], nullptr, 10); at++) {
      const Coordinate position(lonLat[2 * at], lonLat[2 * at + 1]);
      tree.query(Envelope(position), [&](Zone* zone) {
        if (zone->locator == nullptr) zone->locator = std::make_unique<IndexedPointInAreaLocator>(*zone->polygon);
        if (zone->locator->locate(&position) != geos::geom::Location::EXTERIOR) hits++;
      });
    }
    printf("%s%.0f", i > 0 ? "," : "", (cpuSeconds() - start) * 1e3);
  }
  printf("],\"hits\":%llu}\n", (unsigned long long)hits);
  return 0;
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  FILE* file = fopen(argv[1], "rb");
  if (file == nullptr) return 2;
  const int passes = atoi(argv[2]);
  if (argc > 3) return cold(file, argc - 3, argv + 3);
  auto readCount = [&]() {
    uint32_t value = 0;
    if (fread(&value, 4, 1, file) != 1) exit(3);
    return value;
  };
  const uint32_t count = readCount();
  const uint32_t sets = readCount();
  const auto factory = geos::geom::GeometryFactory::create();
  std::vector<double> numbers;
  const double before = residentBytes();
  std::vector<Zone> zones(count);
  for (auto& zone : zones) {
    zone.id = readCount();
    const uint32_t rings = readCount();
    std::unique_ptr<geos::geom::LinearRing> shell;
    std::vector<std::unique_ptr<geos::geom::LinearRing>> holes;
    for (uint32_t ring = 0; ring < rings; ring++) {
      const uint32_t vertices = readCount();
      numbers.resize(2 * vertices);
      if (fread(numbers.data(), 16, vertices, file) != vertices) exit(3);
      auto sequence = std::make_unique<geos::geom::CoordinateArraySequence>(vertices, 2);
      for (uint32_t i = 0; i < vertices; i++) {
        sequence->setAt(Coordinate(numbers[2 * i], numbers[2 * i + 1]), i);
      }
      auto linear = factory->createLinearRing(std::move(sequence));
      if (ring == 0) shell = std::move(linear);
      else holes.push_back(std::move(linear));
    }
    zone.polygon = factory->createPolygon(std::move(shell), std::move(holes));
  }
  double start = cpuSeconds();
  geos::index::strtree::TemplateSTRtree<Zone*> tree(10, count);
  for (auto& zone : zones) tree.insert(zone.polygon->getEnvelopeInternal(), &zone);
  tree.build();
  const Coordinate nowhere(1e6, 1e6);
  for (auto& zone : zones) {
    zone.locator = std::make_unique<IndexedPointInAreaLocator>(*zone.polygon);
    // A locator builds its index at its first query.
    zone.locator->locate(&nowhere);
  }
  const double buildMs = (cpuSeconds() - start) * 1e3;
  const double bytes = residentBytes() - before;
  printf("{\"buildMs\":%.1f,\"bytes\":%.0f,\"sets\":[", buildMs, bytes);
  for (uint32_t set = 0; set < sets; set++) {
    const uint32_t positions = readCount();
    std::vector<double> lonLat(2 * positions);
    if (fread(lonLat.data(), 16, positions, file) != positions) exit(3);
    double best = 1e300;
    uint64_t hits = 0, sum = 0;
    for (int pass = 0; pass < passes; pass++) {
      hits = sum = 0;
      start = cpuSeconds();
      for (uint32_t i = 0; i < positions; i++) {
        const Coordinate position(lonLat[2 * i], lonLat[2 * i + 1]);
        tree.query(Envelope(position), [&](Zone* zone) {
          if (zone->locator->locate(&position) != geos::geom::Location::EXTERIOR) {
            hits++;
            sum += zone->id + 1;
          }
        });
      }
      const double ns = (cpuSeconds() - start) * 1e9 / positions;
      if (ns < best) best = ns;
    }
    printf("%s{\"ns\":%.1f,\"hits\":%llu,\"sum\":%llu}", set > 0 ? "," : "", best, (unsigned long long)hits,
           (unsigned long long)sum);
  }
  printf("]}\n");
  fclose(file);
  return 0;
}
