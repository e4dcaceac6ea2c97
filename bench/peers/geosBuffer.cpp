// Times native GEOS buffering lines: g++ -O2 geosBuffer.cpp -o geosBuffer -lgeos_c (Debian: libgeos-dev).
// Input per line: `rounds distance quadrantSegments count`, then `count` pairs in metres. Output per line: median ms and vertex count.
#define GEOS_USE_ONLY_R_API
#include <geos_c.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

int main() {
  GEOSContextHandle_t geos = GEOS_init_r();
  int rounds, segments, count;
  double distance;
  while (std::scanf("%d %lf %d %d", &rounds, &distance, &segments, &count) == 4) {
    GEOSCoordSequence* sequence = GEOSCoordSeq_create_r(geos, count, 2);
    for (int i = 0; i < count; i++) {
      double x, y;
      if (std::scanf("%lf %lf", &x, &y) != 2) return 1;
      GEOSCoordSeq_setXY_r(geos, sequence, i, x, y);
    }
    GEOSGeometry* line = GEOSGeom_createLineString_r(geos, sequence);
    std::vector<double> times;
    int vertices = 0;
    for (int round = 0; round < rounds; round++) {
      auto start = std::chrono::steady_clock::now();
      GEOSGeometry* buffer = GEOSBuffer_r(geos, line, distance, segments);
      times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
      vertices = GEOSGetNumCoordinates_r(geos, buffer);
      GEOSGeom_destroy_r(geos, buffer);
    }
    std::sort(times.begin(), times.end());
    std::printf("%.6f %d\n", times[times.size() / 2], vertices);
    std::fflush(stdout);
    GEOSGeom_destroy_r(geos, line);
  }
  GEOS_finish_r(geos);
  return 0;
}
