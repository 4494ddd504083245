# Run by cpack on the files of each package before it packs them: what Debian's policy wants beside them. Manual pages are compressed;
# every package has its copyright and a changelog, dated by SOURCE_DATE_EPOCH.
file(GLOB packages LIST_DIRECTORIES true ${CPACK_TEMPORARY_DIRECTORY}/*)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
foreach(package IN LISTS packages)
  if(NOT IS_DIRECTORY ${package}/usr)
    continue()
  endif()
  get_filename_component(component ${package} NAME)
  string(TOUPPER ${component} component)
  set(name ${CPACK_DEBIAN_${component}_PACKAGE_NAME})
  set(doc ${package}/usr/share/doc/${name})
  file(COPY ${CPACK_LINSEP_PACKAGING}/copyright DESTINATION ${doc})
  file(WRITE ${doc}/changelog.Debian "linsep (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium\n\n\
  * Version ${CPACK_PACKAGE_VERSION}: CHANGELOG.md of the sources says what is new.\n\n\
 -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
  file(GLOB_RECURSE pages ${package}/usr/share/man/*.1)
  execute_process(COMMAND gzip -9nf ${pages} ${doc}/changelog.Debian COMMAND_ERROR_IS_FATAL ANY)
endforeach()
